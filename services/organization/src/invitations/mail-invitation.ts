import type { Caller } from "@latchkey/contracts";
import { appendEvent, type ResolvedSession } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { invitationLink } from "./invitation-link.ts";
import type { InvitationRow } from "./queries.ts";

/** What it works with. */
export type MailInvitationNeeds = Pick<Deps, "clock" | "config" | "newEventId" | "ring">;

/** Has an invitation mailed once the transaction commits, unless the application tells people itself. */
export const mailInvitation = async (
  deps: MailInvitationNeeds,
  trx: Transaction<Tables>,
  about: {
    invitation: InvitationRow;
    organizationName: string;
    session: ResolvedSession;
    caller: Caller;
  },
): Promise<void> => {
  const { sendInvitationMail, acceptInvitationURL } = deps.config.organization;
  if (!sendInvitationMail) return;
  const { invitation, organizationName, session, caller } = about;
  await appendEvent(trx, deps, {
    name: "invitation.sent",
    data: {
      invitationId: invitation.id,
      email: invitation.email,
      organizationName,
      inviterName: session.user.name,
      inviterEmail: session.user.email,
      url: invitationLink(acceptInvitationURL, invitation, caller.baseUrl),
      expiresAt: invitation.expiresAt.toISOString(),
    },
  });
};
