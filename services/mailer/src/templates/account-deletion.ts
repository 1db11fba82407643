import type { EventData } from "@latchkey/contracts";
import type { Wording } from "../languages/wording.ts";
import { linkMail, type Mail } from "./mail.ts";

/** Requests the confirmation of an account deletion. */
export const accountDeletionMail = (
  wording: Wording,
  { name, url }: EventData<"account-deletion.requested">,
): Mail => {
  const { say } = wording;
  return linkMail(wording, {
    subject: say("accountDeletion.subject"),
    name,
    lead: say("accountDeletion.lead"),
    action: say("accountDeletion.action"),
    url,
    footer: say("accountDeletion.footer"),
  });
};
