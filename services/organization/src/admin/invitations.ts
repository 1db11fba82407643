import { WireError } from "@latchkey/contracts";
import { sessionActor } from "@latchkey/service-kit/audit";
import type { Handler } from "../deps.ts";
import {
  findGivenInvitation,
  findGivenPending,
  showInvitation,
} from "../invitations/invitation-ids.ts";
import { mailAgain } from "../invitations/mail-invitation.ts";
import { withdrawInvitation } from "../members/withdraw-invitations.ts";
import { findUsers } from "../users/users.ts";
import { reachOrganization } from "./reach.ts";

/**
 * Cancels an invitation, whatever its status. A membership that it led to stays. Throws `INVITATION_NOT_FOUND`, also for an invitation of
 * another organization.
 */
export const adminCancelInvitation: Handler<"adminCancelInvitation"> = async (deps, call) => {
  const { params, body, caller, session } = call;
  const { id: organizationId } = params;
  const change = await reachOrganization(deps, call, { operation: "adminCancelInvitation" });
  const actor = sessionActor(session);
  const canceled = await change(async (trx) => {
    const existing = await findGivenInvitation({ ...deps, db: trx }, body.invitationId);
    if (!existing) throw new WireError("INVITATION_NOT_FOUND");
    const { id } = existing.invitation;
    return withdrawInvitation(deps, trx, { id, organizationId, actor, caller });
  });
  return { reply: showInvitation(deps, canceled, body.invitationId) };
};

/**
 * Mails a pending invitation again and restarts its lifetime. The mail still names the original inviter, because the recipient need not
 * know the installation's admins. Throws `INVITATION_NOT_FOUND`, also for an invitation of another organization or of a deleted inviter.
 * Throws `TOO_MANY_REQUESTS` if its mail was requested within the last minute.
 */
export const adminResendInvitation: Handler<"adminResendInvitation"> = async (deps, call) => {
  const { params, body, caller, session } = call;
  const { id: organizationId } = params;
  const change = await reachOrganization(deps, call, { operation: "adminResendInvitation" });
  const pending = await findGivenPending(deps, body.invitationId);
  if (pending?.invitation.organizationId !== organizationId)
    throw new WireError("INVITATION_NOT_FOUND");
  const { id, inviterId } = pending.invitation;
  const [inviter] = await findUsers(deps, caller, { ids: [inviterId] });
  if (!inviter) throw new WireError("INVITATION_NOT_FOUND");
  const actor = sessionActor(session);
  const invitation = await change(async (trx, organization) => {
    if (!organization) throw new WireError("INVITATION_NOT_FOUND");
    return mailAgain(deps, trx, { id, organization, inviter, actor, caller });
  });
  deps.wakeRelay();
  return { reply: showInvitation(deps, invitation, body.invitationId) };
};
