import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findMember } from "../members/find-member.ts";
import { lockOrganization } from "../organizations/lock-organization.ts";
import { checkInviter } from "./check-inviter.ts";
import { mailAgain } from "./mail-again.ts";
import type { MailInvitationNeeds } from "./mail-invitation.ts";
import { findPendingInvitation, type InvitationRow } from "./queries.ts";
import { showInvitation } from "./show-invitation.ts";

type ResendInvitation = typeof operations.organization.resendInvitation;
type Needs = MailInvitationNeeds & Pick<Deps, "db" | "wakeRelay">;

const resend = (
  deps: Needs,
  { session, caller }: Call<ResendInvitation>,
  { id, organizationId, role }: InvitationRow,
): Promise<InvitationRow> =>
  deps.db.transaction().execute(async (trx) => {
    const organization = await lockOrganization(trx, organizationId);
    if (!organization) throw new WireError("INVITATION_NOT_FOUND");
    const { userId } = session.session;
    checkInviter(deps.config, await findMember({ db: trx }, { organizationId, userId }), role);
    const actor = sessionActor(session);
    return mailAgain(deps, trx, { id, organization, inviter: session.user, actor, caller });
  });

/**
 * Mails a pending invitation again, which lasts anew. Throws `INVITATION_NOT_FOUND`, also to who is not a member of its
 * organization, what inviting throws to who may not invite somebody to its roles, and `TOO_MANY_REQUESTS` where its mail was
 * asked for a moment ago.
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
  const invitation = await resend(deps, call, found);
  deps.wakeRelay();
  return { reply: showInvitation(deps.config, invitation) };
};
