import type { EventData } from "@latchkey/contracts";
import { linkMail, type Mail } from "./mail.ts";

/** Requests, at the old address, the confirmation of a new address. */
export const emailChangeMail = (appName: string, data: EventData<"email-change.requested">): Mail =>
  linkMail({
    subject: `Confirm your new e-mail address for ${appName}`,
    name: data.name,
    lead: `Please confirm that your e-mail address for ${appName} shall be changed to ${data.newEmail}.`,
    action: "Change e-mail address",
    url: data.url,
    footer: "If you did not ask for this, do not open the link, and change your password.",
  });
