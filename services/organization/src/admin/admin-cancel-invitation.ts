import { type OperationReply, operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findGivenInvitation } from "../invitations/find-given-invitation.ts";
import { showInvitation } from "../invitations/show-invitation.ts";
import { withdrawInvitation } from "../invitations/withdraw-invitation.ts";
import {
  changeWithinReach,
  checkOrganizationReach,
  type OrganizationReachNeeds,
} from "./check-organization-reach.ts";

const { permission } = operations.organization.adminCancelInvitation;
type AdminCancelInvitation = typeof operations.organization.adminCancelInvitation;

/**
 * Cancels an invitation, whatever its status. A membership that it led to stays. Throws `INVITATION_NOT_FOUND`, also for an invitation of
 * another organization.
 */
export const adminCancelInvitation = async (
  deps: OrganizationReachNeeds & Pick<Deps, "clock" | "ring">,
  call: Call<AdminCancelInvitation>,
): Promise<Answer<OperationReply<AdminCancelInvitation>>> => {
  const { params, body, caller, session } = call;
  const { id: organizationId } = params;
  const recheck = await checkOrganizationReach(deps, call, { permission, organizationId });
  const actor = sessionActor(session);
  const canceled = await changeWithinReach(deps, { organizationId, recheck }, async (trx) => {
    const found = await findGivenInvitation({ ...deps, db: trx }, body.invitationId);
    if (!found) throw new WireError("INVITATION_NOT_FOUND");
    const { id } = found.invitation;
    return withdrawInvitation(deps, trx, { id, organizationId, actor, caller });
  });
  return { reply: showInvitation(deps, canceled, body.invitationId) };
};
