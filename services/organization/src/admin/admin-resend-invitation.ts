import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findPending } from "../invitations/find-pending.ts";
import { mailAgain } from "../invitations/mail-again.ts";
import type { MailInvitationNeeds } from "../invitations/mail-invitation.ts";
import { showInvitation } from "../invitations/show-invitation.ts";
import { lockOrganization } from "../organizations/lock-organization.ts";
import { findUsers } from "../users/find-users.ts";

type AdminResendInvitation = typeof operations.organization.adminResendInvitation;

/**
 * Mails a pending invitation again, which lasts anew. The mail goes on naming who invited: whom it is for need not know the
 * admins of the installation. Throws `INVITATION_NOT_FOUND`, also for one of another organization and where who invited has
 * ceased to exist, and `TOO_MANY_REQUESTS` where its mail was asked for a moment ago.
 */
export const adminResendInvitation = async (
  deps: MailInvitationNeeds & Pick<Deps, "db" | "identity" | "wakeRelay">,
  { params: { id: organizationId }, body, caller, session }: Call<AdminResendInvitation>,
): Promise<Answer<OperationReply<AdminResendInvitation>>> => {
  const id = body.invitationId;
  const found = await findPending(deps, { id, organizationId });
  const [inviter] = found ? await findUsers(deps, caller, { ids: [found.inviterId] }) : [];
  if (!inviter) throw new WireError("INVITATION_NOT_FOUND");
  const actor = sessionActor(session);
  const invitation = await deps.db.transaction().execute(async (trx) => {
    const organization = await lockOrganization(trx, organizationId);
    if (!organization) throw new WireError("INVITATION_NOT_FOUND");
    return mailAgain(deps, trx, { id, organization, inviter, actor, caller });
  });
  deps.wakeRelay();
  return { reply: showInvitation(deps.config, invitation) };
};
