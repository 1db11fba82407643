import type { EventData } from "@latchkey/contracts";
import { linkMail, type Mail, timeText } from "./mail.ts";

/** Sends the link by which an invited user chooses a password. */
export const userInvitationMail = (
  appName: string,
  data: EventData<"user-invitation.requested">,
): Mail => {
  const until = data.expiresAt === undefined ? "" : `, until ${timeText(data.expiresAt)}`;
  return linkMail({
    subject: `You are invited to ${appName}`,
    name: data.name,
    lead: `An account at ${appName} was created for you. Choose a password to sign in. The link works once${until}.`,
    action: "Choose a password",
    url: data.url,
    footer:
      "If you did not expect this mail, you can ignore it: without a password nobody can sign in.",
  });
};
