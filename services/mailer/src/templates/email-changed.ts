import type { EventData } from "@latchkey/contracts";
import { linkMail, type Mail, timeText } from "./mail.ts";

/** Notifies the old address of a new one. The link sets the old address back. */
export const emailChangedMail = (
  appName: string,
  { name, newEmail, url, expiresAt }: EventData<"email.changed">,
): Mail => {
  const until = expiresAt === undefined ? "" : ` until ${timeText(expiresAt)}`;
  return linkMail({
    subject: `Your e-mail address for ${appName} was changed`,
    name,
    lead: `The e-mail address of your account at ${appName} was changed to ${newEmail}. If this was not you, you can undo the change by this link${until}. It also signs out all devices, and you choose a new password.`,
    action: "Undo the change",
    url,
    footer: "If you changed the address yourself, do not open the link: there is nothing to do.",
  });
};
