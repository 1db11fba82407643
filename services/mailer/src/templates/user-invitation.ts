import type { EventData } from "@latchkey/contracts";
import type { Wording } from "../languages/wording.ts";
import { expiryValues, linkMail, type Mail } from "./mail.ts";

/** Sends the link by which an invited user chooses a password. */
export const userInvitationMail = (
  wording: Wording,
  { name, url, expiresAt }: EventData<"user-invitation.requested">,
): Mail => {
  const { say } = wording;
  return linkMail(wording, {
    subject: say("userInvitation.subject"),
    name,
    lead: say("userInvitation.lead", expiryValues(wording, expiresAt)),
    action: say("userInvitation.action"),
    url,
    footer: say("userInvitation.footer"),
  });
};
