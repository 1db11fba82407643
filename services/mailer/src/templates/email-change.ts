import type { EventData } from "@latchkey/contracts";
import type { Wording } from "../languages/wording.ts";
import { linkMail, type Mail } from "./mail.ts";

/** Requests, at the old address, the confirmation of a new address. */
export const emailChangeMail = (
  wording: Wording,
  { name, newEmail, url }: EventData<"email-change.requested">,
): Mail => {
  const { say } = wording;
  return linkMail(wording, {
    subject: say("emailChange.subject"),
    name,
    lead: say("emailChange.lead", { newEmail }),
    action: say("emailChange.action"),
    url,
    footer: say("emailChange.footer"),
  });
};
