import type { EventData } from "@latchkey/contracts";
import { codeMail, type Mail } from "./mail.ts";
import type { Wording } from "./wording.ts";

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

/** Sends the code of a second factor, for a sign-in or to confirm an action of a signed-in user. */
export const twoFactorCodeMail = (
  wording: Wording,
  { name, code, expiresAt }: EventData<"two-factor-code.requested">,
): Mail => {
  const { say } = wording;
  return codeMail(wording, {
    subject: say("twoFactorCode.subject"),
    name,
    lead: say("twoFactorCode.lead"),
    code,
    expiresAt,
    footer: say("twoFactorCode.footer"),
  });
};

/**
 * Sends a code to a phone number, as text alone. The last line binds the code to the host, so that browsers offer it on pages of that host
 * only (https://wicg.github.io/sms-one-time-codes).
 */
export const phoneCodeText = (
  { locale, say }: Wording,
  { phoneNumber: to, code, purpose, expiresAt }: EventData<"phone-code.requested">,
  host: string | undefined,
) => {
  const text = say(`phoneCode.${purpose}`, { code });
  return {
    channel: "text" as const,
    to,
    subject: say("phoneCode.subject"),
    text: host === undefined ? text : `${text}\n\n@${host} #${code}`,
    html: "",
    locale,
    code,
    purpose,
    expiresAt,
    isDeletedOnceSettled: true,
  };
};
