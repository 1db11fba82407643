import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { organizationOf } from "../sessions/organization-of.ts";
import { listInvitationsFor } from "./queries.ts";
import { showInvitation } from "./show-invitation.ts";

type ListInvitations = typeof operations.organization.listInvitations;

const limit = 100;

/**
 * The newest hundred invitations of an organization, oldest first. Throws `ORGANIZATION_ID_IS_REQUIRED`, and
 * `YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION`.
 */
export const listInvitations = async (
  { config, db }: Pick<Deps, "config" | "db">,
  { query, session }: Call<ListInvitations>,
): Promise<Answer<OperationReply<ListInvitations>>> => {
  const organizationId = organizationOf(session, query.organizationId);
  if (!organizationId) throw new WireError("ORGANIZATION_ID_IS_REQUIRED");
  const { userId } = session.session;
  const invitations = await listInvitationsFor(db, { organizationId, userId, limit });
  if (!invitations) throw new WireError("YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION");
  return { reply: invitations.map((invitation) => showInvitation(config, invitation)) };
};
