import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { lockAsMember } from "../members/lock-as-member.ts";
import { allows } from "../roles/role-rules.ts";
import { findGivenInvitation } from "./find-given-invitation.ts";
import type { InvitationRow } from "./queries.ts";
import { showInvitation } from "./show-invitation.ts";
import { withdrawInvitation } from "./withdraw-invitation.ts";

type CancelInvitation = typeof operations.organization.cancelInvitation;
type Needs = Pick<Deps, "clock" | "config" | "db" | "ring">;

const cancel = (
  deps: Needs,
  { session, caller }: Call<CancelInvitation>,
  { id, organizationId }: InvitationRow,
): Promise<InvitationRow> =>
  deps.db.transaction().execute(async (trx) => {
    const member = await lockAsMember(deps, trx, { caller, session, organizationId });
    if (!allows(deps.config.organization, member.role, ["invitation", "cancel"]))
      throw new WireError("YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION");
    const actor = sessionActor(session);
    return withdrawInvitation(deps, trx, { id, organizationId, actor, caller });
  });

/**
 * Cancels an invitation, whatever its status. A membership that it led to stays. Throws `INVITATION_NOT_FOUND`, `MEMBER_NOT_FOUND` and
 * `YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION`.
 */
export const cancelInvitation = async (
  deps: Needs,
  call: Call<CancelInvitation>,
): Promise<Answer<OperationReply<CancelInvitation>>> => {
  const { invitationId } = call.body;
  const found = await findGivenInvitation(deps, invitationId);
  if (!found) throw new WireError("INVITATION_NOT_FOUND");
  return { reply: showInvitation(deps, await cancel(deps, call, found.invitation), invitationId) };
};
