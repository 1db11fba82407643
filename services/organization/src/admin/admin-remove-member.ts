import { type OperationReply, operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import {
  removeMemberInTransaction,
  type RemoveMemberInTransactionNeeds,
} from "../members/remove-member-in-transaction.ts";
import { keepOwner } from "../members/keep-owner.ts";
import { findMemberById } from "../members/queries.ts";
import { showMember } from "../members/show-member.ts";
import { forgetOrganization } from "../sessions/choose-organization.ts";
import {
  changeWithinReach,
  checkOrganizationReach,
  type OrganizationReachNeeds,
} from "./check-organization-reach.ts";

const { permission } = operations.organization.adminRemoveMember;
type AdminRemoveMember = typeof operations.organization.adminRemoveMember;

/**
 * Ends a membership, also an owner's. Removes the organization from the user's sessions. Throws `MEMBER_NOT_FOUND`, and
 * `YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER` if no owner would remain.
 */
export const adminRemoveMember = async (
  deps: RemoveMemberInTransactionNeeds &
    OrganizationReachNeeds &
    Pick<Deps, "logger" | "wakeRelay">,
  call: Call<AdminRemoveMember>,
): Promise<Answer<OperationReply<AdminRemoveMember>>> => {
  const { params, body, caller, session } = call;
  const { id: organizationId } = params;
  const act = { permission, organizationId, memberId: body.memberId };
  const recheck = await checkOrganizationReach(deps, call, act);
  const removed = await changeWithinReach(deps, { organizationId, recheck }, async (trx) => {
    const member = await findMemberById(trx, { organizationId, id: body.memberId });
    if (!member) throw new WireError("MEMBER_NOT_FOUND");
    await keepOwner(trx, deps.config, member);
    await removeMemberInTransaction(deps, trx, { member, actor: sessionActor(session), caller });
    return member;
  });
  deps.wakeRelay();
  const userIds = [removed.userId];
  const changed = await forgetOrganization(deps, caller, { organizationId, userIds });
  return { reply: showMember(deps.config, removed), ...changed };
};
