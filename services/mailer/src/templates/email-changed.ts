import type { EventData } from "@latchkey/contracts";
import type { Wording } from "../languages/wording.ts";
import { expiryValues, linkMail, type Mail } from "./mail.ts";

/** Notifies the old address of a new one. The link sets the old address back. */
export const emailChangedMail = (
  wording: Wording,
  { name, newEmail, url, expiresAt }: EventData<"email.changed">,
): Mail => {
  const { say } = wording;
  return linkMail(wording, {
    subject: say("emailChanged.subject"),
    name,
    lead: say("emailChanged.lead", { newEmail, ...expiryValues(wording, expiresAt) }),
    action: say("emailChanged.action"),
    url,
    footer: say("emailChanged.footer"),
  });
};
