import type { EventData } from "@latchkey/contracts";
import { linkMail, type Mail, safeOrganizationName, safePersonName } from "./mail.ts";

const time = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "long",
  timeStyle: "short",
  timeZone: "UTC",
});

/** Invites a reader, whose name is unknown, to an organization. */
export const invitationMail = (appName: string, data: EventData<"invitation.sent">): Mail => {
  const { inviterName, inviterEmail, organizationName, url, expiresAt } = data;
  const name = safePersonName(inviterName);
  const inviter = name === undefined ? inviterEmail : `${name} (${inviterEmail})`;
  const organization = safeOrganizationName(organizationName) ?? "an organization";
  return linkMail({
    subject: `Join ${organization} at ${appName}`,
    name: "",
    lead: `${inviter} invites you to join ${organization} at ${appName}. The invitation ends on ${time.format(new Date(expiresAt))} UTC.`,
    action: "Accept invitation",
    url,
    footer: "If you do not know them, you can ignore this mail: nothing happens without you.",
  });
};
