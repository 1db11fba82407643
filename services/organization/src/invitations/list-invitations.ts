import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { organizationOf } from "../sessions/organization-of.ts";
import { requireSecondFactor } from "../two-factor/require-second-factor.ts";
import { idForMember } from "./invitation-ids.ts";
import { listInvitationsFor } from "./queries.ts";
import { showInvitation } from "./show-invitation.ts";

type ListInvitations = typeof operations.organization.listInvitations;

const limit = 100;

/**
 * Returns the newest hundred invitations of an organization, oldest first, under the ids that the member may know. Throws
 * `ORGANIZATION_ID_IS_REQUIRED`, and `YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION`.
 */
export const listInvitations = async (
  deps: Pick<Deps, "clock" | "config" | "db" | "ring">,
  { query, caller, session }: Call<ListInvitations>,
): Promise<Answer<OperationReply<ListInvitations>>> => {
  const organizationId = organizationOf(session, query.organizationId);
  if (!organizationId) throw new WireError("ORGANIZATION_ID_IS_REQUIRED");
  const { userId } = session.session;
  const found = await listInvitationsFor(deps.db, { organizationId, userId, limit });
  if (!found) throw new WireError("YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION");
  requireSecondFactor(deps, { caller, session }, found);
  const { role, invitations } = found;
  const reply = invitations.map((invitation) =>
    showInvitation(deps, invitation, idForMember(deps, { userId, role }, invitation)),
  );
  return { reply };
};
