import { type OperationReply, operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, sessionActor } from "@latchkey/service-kit";
import { addMemberBy, type AddMemberByNeeds } from "../members/add-member-by.ts";
import { showMember } from "../members/show-member.ts";
import { readRoles } from "../roles/role-rules.ts";
import { findUsers } from "../users/find-users.ts";
import { checkOrganizationReach, type OrganizationReachNeeds } from "./check-organization-reach.ts";

const { permission } = operations.organization.adminAddMember;
type AdminAddMember = typeof operations.organization.adminAddMember;

/**
 * Makes a user a member with any roles, even if the organization has no owner. Throws `USER_NOT_FOUND`, `ORGANIZATION_NOT_FOUND`,
 * `USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION` and `ORGANIZATION_MEMBERSHIP_LIMIT_REACHED`.
 */
export const adminAddMember = async (
  deps: AddMemberByNeeds & OrganizationReachNeeds,
  call: Call<AdminAddMember>,
): Promise<Answer<OperationReply<AdminAddMember>>> => {
  const { params, body, caller, session } = call;
  const role = readRoles(deps.config.organization, body.role);
  const [user] = await findUsers(deps, caller, { ids: [body.userId] });
  if (!user) throw new WireError("USER_NOT_FOUND", { status: 400 });
  const { id: organizationId } = params;
  const act = { permission, organizationId, userId: body.userId };
  const within = await checkOrganizationReach(deps, call, act);
  const member = await addMemberBy(deps, {
    organizationId,
    userId: body.userId,
    role,
    actor: sessionActor(session),
    caller,
    within,
  });
  return { reply: showMember(deps.config, member) };
};
