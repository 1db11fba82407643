import type { EventData } from "@latchkey/contracts";
import type { Wording } from "../languages/wording.ts";
import { linkMail, type Mail, safeLabel, safePersonName } from "./mail.ts";

/** Invites a reader, whose name is unknown, to an organization. */
export const invitationMail = (wording: Wording, data: EventData<"invitation.sent">): Mail => {
  const { inviterName, inviterEmail, organizationName, url, expiresAt } = data;
  const { say, time } = wording;
  const name = safePersonName(inviterName);
  const inviter = name === undefined ? inviterEmail : `${name} (${inviterEmail})`;
  const label = safeLabel(organizationName);
  const organization = {
    hasOrganization: label === undefined ? "no" : "yes",
    organization: label ?? "",
  };
  return linkMail(wording, {
    subject: say("invitation.subject", organization),
    name: "",
    lead: say("invitation.lead", { inviter, ...organization, time: time(expiresAt) }),
    action: say("invitation.action"),
    url,
    footer: say("invitation.footer"),
  });
};
