import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, appendAudit, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findMember } from "../members/find-member.ts";
import { lockOrganization } from "../organizations/lock-organization.ts";
import { checkInviter } from "./check-inviter.ts";
import { mailInvitation, type MailInvitationNeeds } from "./mail-invitation.ts";
import { findPendingInvitation, type InvitationRow, prolongInvitation } from "./queries.ts";
import { showInvitation } from "./show-invitation.ts";

type ResendInvitation = typeof operations.organization.resendInvitation;
type Needs = MailInvitationNeeds & Pick<Deps, "db" | "wakeRelay">;

const prolong = (
  deps: Needs,
  { session, caller }: Call<ResendInvitation>,
  { id, organizationId, role }: InvitationRow,
): Promise<InvitationRow> =>
  deps.db.transaction().execute(async (trx) => {
    const organization = await lockOrganization(trx, organizationId);
    if (!organization) throw new WireError("INVITATION_NOT_FOUND");
    const { userId } = session.session;
    checkInviter(deps.config, await findMember({ db: trx }, { organizationId, userId }), role);
    const now = deps.clock();
    const expiresAt = new Date(now + deps.config.organization.invitationExpiresIn * 1000);
    const invitation = await prolongInvitation(trx, { id, expiresAt, now: new Date(now) });
    if (!invitation) throw new WireError("INVITATION_NOT_FOUND");
    await mailInvitation(deps, trx, {
      invitation,
      organizationName: organization.name,
      session,
      caller,
    });
    await appendAudit(trx, deps, {
      actor: sessionActor(session),
      subject: { kind: "organization", id: organizationId },
      action: "invitation.resent",
      caller,
      after: { id, expiresAt },
    });
    return invitation;
  });

/**
 * Mails a pending invitation again, which lasts anew. Throws `INVITATION_NOT_FOUND`, also to who is not a member of its
 * organization, and what inviting throws to who may not invite somebody to its roles.
 */
export const resendInvitation = async (
  deps: Needs,
  call: Call<ResendInvitation>,
): Promise<Answer<OperationReply<ResendInvitation>>> => {
  const now = new Date(deps.clock());
  const found = await findPendingInvitation(deps.db, { id: call.body.invitationId, now });
  if (!found) throw new WireError("INVITATION_NOT_FOUND");
  const { organizationId } = found;
  const { userId } = call.session.session;
  if (!(await findMember(deps, { organizationId, userId })))
    throw new WireError("INVITATION_NOT_FOUND");
  const invitation = await prolong(deps, call, found);
  deps.wakeRelay();
  return { reply: showInvitation(deps.config, invitation) };
};
