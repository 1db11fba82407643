import type { EventData } from "@latchkey/contracts";
import type { Wording } from "../languages/wording.ts";
import { codeMail, type Mail } from "./mail.ts";

type EmailCode = EventData<"email-code.requested">;

/** The texts of each purpose, by the first parts of their names. */
const textsOf = {
  "sign-in": "emailCode.signIn",
  "email-verification": "emailCode.verification",
  "forget-password": "emailCode.password",
  "change-email": "emailCode.change",
} as const satisfies Record<EmailCode["purpose"], string>;

/** Sends a code that proves access to the mailbox. */
export const emailCodeMail = (
  wording: Wording,
  { name, code, expiresAt, purpose }: EmailCode,
): Mail => {
  const { say } = wording;
  const texts = textsOf[purpose];
  return codeMail(wording, {
    subject: say(`${texts}.subject`),
    name,
    lead: say(`${texts}.lead`),
    code,
    expiresAt,
    footer: say(`${texts}.footer`),
  });
};
