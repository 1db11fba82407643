import type { OperationReply, operations } from "@latchkey/contracts";
import { type Answer, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { forgetOrganization } from "../sessions/choose-organization.ts";
import {
  removeMemberInTransaction,
  type RemoveMemberInTransactionNeeds,
} from "./remove-member-in-transaction.ts";
import { keepOwner } from "./keep-owner.ts";
import { lockAsMember } from "./lock-as-member.ts";
import { showOwnMember } from "./show-own-member.ts";

type LeaveOrganization = typeof operations.organization.leaveOrganization;

/**
 * Ends the caller's membership in an organization. Throws `MEMBER_NOT_FOUND`, and `YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER` if
 * no owner would remain.
 */
export const leaveOrganization = async (
  deps: RemoveMemberInTransactionNeeds &
    Pick<Deps, "config" | "db" | "identity" | "logger" | "wakeRelay">,
  { body: { organizationId }, caller, session }: Call<LeaveOrganization>,
): Promise<Answer<OperationReply<LeaveOrganization>>> => {
  const userId = session.user.id;
  const member = await deps.db.transaction().execute(async (trx) => {
    const own = await lockAsMember(deps, trx, { caller, session, organizationId, leaves: true });
    await keepOwner(trx, deps.config, own);
    await removeMemberInTransaction(deps, trx, {
      member: own,
      actor: sessionActor(session),
      caller,
    });
    return own;
  });
  deps.wakeRelay();
  const changed = await forgetOrganization(deps, caller, { organizationId, userIds: [userId] });
  return { reply: showOwnMember(deps.config, member, session), ...changed };
};
