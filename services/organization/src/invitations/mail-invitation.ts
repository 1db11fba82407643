import type { Caller, UserSummary } from "@latchkey/contracts";
import { appendEvent } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { invitationLink } from "./invitation-link.ts";
import type { InvitationRow } from "./queries.ts";

/** What it works with. */
export type MailInvitationNeeds = Pick<Deps, "clock" | "config" | "newEventId" | "ring">;

/** Who invites, as the mail names them. */
export type Inviter = Pick<UserSummary, "email" | "name">;

/** Has an invitation mailed once the transaction commits, unless the application tells people itself. */
export const mailInvitation = async (
  deps: MailInvitationNeeds,
  trx: Transaction<Tables>,
  about: {
    invitation: InvitationRow;
    organizationName: string;
    inviter: Inviter;
    caller: Caller;
  },
): Promise<void> => {
  const { sendInvitationMail, acceptInvitationURL } = deps.config.organization;
  if (!sendInvitationMail) return;
  const { invitation, organizationName, inviter, caller } = about;
  await appendEvent(trx, deps, {
    name: "invitation.sent",
    data: {
      invitationId: invitation.id,
      email: invitation.email,
      organizationName,
      inviterName: inviter.name,
      inviterEmail: inviter.email,
      url: invitationLink(acceptInvitationURL, invitation, caller.baseUrl),
      expiresAt: invitation.expiresAt.toISOString(),
    },
  });
};
