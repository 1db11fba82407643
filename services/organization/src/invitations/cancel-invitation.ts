import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, appendAudit, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { lockAsMember } from "../members/lock-as-member.ts";
import { allows } from "../roles/role-rules.ts";
import { cancelInvitationRow, findInvitationById, type InvitationRow } from "./queries.ts";
import { showInvitation } from "./show-invitation.ts";

type CancelInvitation = typeof operations.organization.cancelInvitation;
type Needs = Pick<Deps, "clock" | "config" | "db">;

const cancel = (
  deps: Needs,
  { session, caller }: Call<CancelInvitation>,
  { id, organizationId, status }: InvitationRow,
): Promise<InvitationRow> =>
  deps.db.transaction().execute(async (trx) => {
    const { userId } = session.session;
    const member = await lockAsMember(trx, { organizationId, userId });
    if (!allows(deps.config.organization, member.role, ["invitation", "cancel"]))
      throw new WireError("YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION");
    const canceled = await cancelInvitationRow(trx, id);
    if (!canceled) throw new WireError("INVITATION_NOT_FOUND");
    await appendAudit(trx, deps, {
      actor: sessionActor(session),
      subject: { kind: "organization", id: organizationId },
      action: "invitation.canceled",
      caller,
      before: { id, status },
    });
    return canceled;
  });

/**
 * Withdraws an invitation, whatever became of it; a membership that came of it stays. Throws `INVITATION_NOT_FOUND`,
 * `MEMBER_NOT_FOUND` and `YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION`.
 */
export const cancelInvitation = async (
  deps: Needs,
  call: Call<CancelInvitation>,
): Promise<Answer<OperationReply<CancelInvitation>>> => {
  const found = await findInvitationById(deps.db, call.body.invitationId);
  if (!found) throw new WireError("INVITATION_NOT_FOUND");
  return { reply: showInvitation(deps.config, await cancel(deps, call, found)) };
};
