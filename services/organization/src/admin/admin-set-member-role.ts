import { type OperationReply, operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { giveRole } from "../members/give-role.ts";
import { findMemberById } from "../members/queries.ts";
import { showMember } from "../members/show-member.ts";
import { readRoles } from "../roles/role-rules.ts";
import {
  changeWithinReach,
  checkOrganizationReach,
  type OrganizationReachNeeds,
} from "./check-organization-reach.ts";

const { permission } = operations.organization.adminSetMemberRole;
type AdminSetMemberRole = typeof operations.organization.adminSetMemberRole;

/**
 * Sets a member's roles, also an owner's. Throws `MEMBER_NOT_FOUND`, and `YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER` if no owner
 * would remain.
 */
export const adminSetMemberRole = async (
  deps: OrganizationReachNeeds & Pick<Deps, "clock">,
  call: Call<AdminSetMemberRole>,
): Promise<Answer<OperationReply<AdminSetMemberRole>>> => {
  const { params, body, caller, session } = call;
  const { id: organizationId } = params;
  const role = readRoles(deps.config.organization, body.role);
  const act = { permission, organizationId, memberId: body.memberId };
  const recheck = await checkOrganizationReach(deps, call, act);
  const changed = await changeWithinReach(deps, { organizationId, recheck }, async (trx) => {
    const member = await findMemberById(trx, { organizationId, id: body.memberId });
    if (!member) throw new WireError("MEMBER_NOT_FOUND");
    return giveRole(deps, trx, { member, role, actor: sessionActor(session), caller });
  });
  return { reply: showMember(deps.config, changed) };
};
