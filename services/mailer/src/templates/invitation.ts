import type { EventData } from "@latchkey/contracts";
import { linkMail, type Mail, safeLabel, safePersonName, timeText } from "./mail.ts";

/** Invites a reader, whose name is unknown, to an organization. */
export const invitationMail = (appName: string, data: EventData<"invitation.sent">): Mail => {
  const { inviterName, inviterEmail, organizationName, url, expiresAt } = data;
  const name = safePersonName(inviterName);
  const inviter = name === undefined ? inviterEmail : `${name} (${inviterEmail})`;
  const organization = safeLabel(organizationName) ?? "an organization";
  return linkMail({
    subject: `Join ${organization} at ${appName}`,
    name: "",
    lead: `${inviter} invites you to join ${organization} at ${appName}. The invitation ends on ${timeText(expiresAt)}.`,
    action: "Accept invitation",
    url,
    footer: "If you do not know them, you can ignore this mail: nothing happens without you.",
  });
};
