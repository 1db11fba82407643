import type { EventData } from "@latchkey/contracts";
import type { Wording } from "../languages/wording.ts";
import { linkMail, type Mail } from "./mail.ts";

/** Sends the link to set a new password. */
export const passwordResetMail = (
  wording: Wording,
  { name, url }: EventData<"password-reset.requested">,
): Mail => {
  const { say } = wording;
  return linkMail(wording, {
    subject: say("passwordReset.subject"),
    name,
    lead: say("passwordReset.lead"),
    action: say("passwordReset.action"),
    url,
    footer: say("passwordReset.footer"),
  });
};
