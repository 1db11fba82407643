import type { EventData } from "@latchkey/contracts";
import type { Wording } from "../languages/wording.ts";
import { codeMail, type Mail } from "./mail.ts";

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
