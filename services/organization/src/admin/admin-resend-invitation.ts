import { type OperationReply, operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findGivenPending } from "../invitations/find-given-invitation.ts";
import { mailAgain } from "../invitations/mail-again.ts";
import type { MailInvitationNeeds } from "../invitations/mail-invitation.ts";
import { showInvitation } from "../invitations/show-invitation.ts";
import { lockOrganization } from "../organizations/queries.ts";
import { findUsers } from "../users/find-users.ts";
import { checkOrganizationReach, type OrganizationReachNeeds } from "./check-organization-reach.ts";

const { permission } = operations.organization.adminResendInvitation;
type AdminResendInvitation = typeof operations.organization.adminResendInvitation;

/**
 * Mails a pending invitation again and restarts its lifetime. The mail still names the original inviter, because the recipient need not
 * know the installation's admins. Throws `INVITATION_NOT_FOUND`, also for an invitation of another organization or of a deleted inviter.
 * Throws `TOO_MANY_REQUESTS` if its mail was requested within the last minute.
 */
export const adminResendInvitation = async (
  deps: MailInvitationNeeds & OrganizationReachNeeds & Pick<Deps, "wakeRelay">,
  call: Call<AdminResendInvitation>,
): Promise<Answer<OperationReply<AdminResendInvitation>>> => {
  const { params, body, caller, session } = call;
  const { id: organizationId } = params;
  const recheck = await checkOrganizationReach(deps, call, { permission, organizationId });
  const found = await findGivenPending(deps, body.invitationId);
  if (found?.invitation.organizationId !== organizationId)
    throw new WireError("INVITATION_NOT_FOUND");
  const { id, inviterId } = found.invitation;
  const [inviter] = await findUsers(deps, caller, { ids: [inviterId] });
  if (!inviter) throw new WireError("INVITATION_NOT_FOUND");
  const actor = sessionActor(session);
  const invitation = await deps.db.transaction().execute(async (trx) => {
    const organization = await lockOrganization(trx, organizationId);
    if (!organization) throw new WireError("INVITATION_NOT_FOUND");
    await recheck(trx);
    return mailAgain(deps, trx, { id, organization, inviter, actor, caller });
  });
  deps.wakeRelay();
  return { reply: showInvitation(deps, invitation, body.invitationId) };
};
