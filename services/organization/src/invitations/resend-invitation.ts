import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findOwnMembership } from "../members/find-own-membership.ts";
import { lockMemberships } from "../members/queries.ts";
import { lockOrganization } from "../organizations/queries.ts";
import { checkInviter } from "./check-inviter.ts";
import { recordIssued } from "./issued/record-issued.ts";
import { mailAgain } from "./mail-again.ts";
import type { MailInvitationNeeds } from "./mail-invitation.ts";
import { findGivenPending } from "./find-given-invitation.ts";
import type { InvitationRow } from "./queries.ts";
import { showInvitation } from "./show-invitation.ts";

type ResendInvitation = typeof operations.organization.resendInvitation;
type Needs = MailInvitationNeeds & Pick<Deps, "db" | "wakeRelay">;

const resend = (
  deps: Needs,
  { session, caller }: Call<ResendInvitation>,
  { id, organizationId, role, email }: InvitationRow,
): Promise<InvitationRow> =>
  deps.db.transaction().execute(async (trx) => {
    await lockMemberships(trx, session.session.userId);
    const organization = await lockOrganization(trx, organizationId);
    if (!organization) throw new WireError("INVITATION_NOT_FOUND");
    const { userId } = session.session;
    const acting = { caller, session };
    const own = await findOwnMembership({ ...deps, db: trx }, acting, { id: organizationId });
    checkInviter(deps.config, own, role);
    const actor = sessionActor(session);
    const inviter = session.user;
    const invitation = await mailAgain(deps, trx, { id, organization, inviter, actor, caller });
    const now = deps.clock();
    const mail = { id: `${id} ${now}`, inviterId: userId, email, issuedAt: new Date(now) };
    await recordIssued(deps.config, trx, mail);
    return invitation;
  });

/**
 * Mails a pending invitation again and restarts its lifetime. Throws `INVITATION_NOT_FOUND`, also if the caller is not a member of its
 * organization. Throws the errors of inviting if the caller may not invite to its roles. Throws `TOO_MANY_REQUESTS` if its mail was
 * requested within the last minute, and `INVITATION_LIMIT_REACHED` if the caller has had too many mails sent to its address.
 */
export const resendInvitation = async (
  deps: Needs,
  call: Call<ResendInvitation>,
): Promise<Answer<OperationReply<ResendInvitation>>> => {
  const { invitationId } = call.body;
  const found = await findGivenPending(deps, invitationId);
  if (!found) throw new WireError("INVITATION_NOT_FOUND");
  const { organizationId } = found.invitation;
  if (!(await findOwnMembership(deps, call, { id: organizationId })))
    throw new WireError("INVITATION_NOT_FOUND");
  const invitation = await resend(deps, call, found.invitation);
  deps.wakeRelay();
  return { reply: showInvitation(deps, invitation, invitationId) };
};
