import type { EventData } from "@latchkey/contracts";
import { linkMail, type Mail } from "./mail.ts";

/** Requests the confirmation of an account deletion. */
export const accountDeletionMail = (
  appName: string,
  data: EventData<"account-deletion.requested">,
): Mail =>
  linkMail({
    subject: `Confirm the deletion of your account at ${appName}`,
    name: data.name,
    lead: `Please confirm that your account at ${appName} shall be deleted. This cannot be undone.`,
    action: "Delete my account",
    url: data.url,
    footer: "If you did not ask for this, do not open the link: your account stays.",
  });
