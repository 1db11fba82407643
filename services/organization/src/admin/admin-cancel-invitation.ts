import type { OperationReply, operations } from "@latchkey/contracts";
import { type Answer, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { showInvitation } from "../invitations/show-invitation.ts";
import { withdrawInvitation } from "../invitations/withdraw-invitation.ts";
import { lockOrganization } from "../organizations/lock-organization.ts";

type AdminCancelInvitation = typeof operations.organization.adminCancelInvitation;

/**
 * Withdraws an invitation, whatever became of it; a membership that came of it stays. Throws `INVITATION_NOT_FOUND`, also for
 * one of another organization.
 */
export const adminCancelInvitation = async (
  deps: Pick<Deps, "clock" | "config" | "db">,
  { params: { id: organizationId }, body, caller, session }: Call<AdminCancelInvitation>,
): Promise<Answer<OperationReply<AdminCancelInvitation>>> => {
  const actor = sessionActor(session);
  const canceled = await deps.db.transaction().execute(async (trx) => {
    await lockOrganization(trx, organizationId);
    const id = body.invitationId;
    return withdrawInvitation(deps, trx, { id, organizationId, actor, caller });
  });
  return { reply: showInvitation(deps.config, canceled) };
};
