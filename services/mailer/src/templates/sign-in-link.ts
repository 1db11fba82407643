import type { EventData } from "@latchkey/contracts";
import { linkMail, type Mail, timeText } from "./mail.ts";

/** Sends a link that signs in. */
export const signInLinkMail = (
  appName: string,
  { name, url, expiresAt }: EventData<"sign-in-link.requested">,
): Mail => ({
  ...linkMail({
    subject: `Your link to sign in to ${appName}`,
    name,
    lead: `Open this link to sign in to ${appName}. It expires on ${timeText(expiresAt)} and works once. Nobody at ${appName} will ask you for this link. Give it to nobody.`,
    action: "Sign in",
    url,
    footer:
      "If you did not ask for this, do not open the link, and ignore this mail: without the link, nobody signs in.",
  }),
  isDeletedOnceSettled: true,
});
