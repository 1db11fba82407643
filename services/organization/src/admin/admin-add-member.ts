import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { enrolMember, type EnrolMemberNeeds } from "../members/enrol-member.ts";
import { showMember } from "../members/show-member.ts";
import { readRoles } from "../roles/role-rules.ts";
import { findUsers } from "../users/find-users.ts";

type AdminAddMember = typeof operations.organization.adminAddMember;

/**
 * Makes a user a member, with any roles and also where there is no owner. Throws `USER_NOT_FOUND`, `ORGANIZATION_NOT_FOUND`,
 * `USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION` and `ORGANIZATION_MEMBERSHIP_LIMIT_REACHED`.
 */
export const adminAddMember = async (
  deps: EnrolMemberNeeds & Pick<Deps, "identity">,
  { params, body, caller, session }: Call<AdminAddMember>,
): Promise<Answer<OperationReply<AdminAddMember>>> => {
  const role = readRoles(deps.config.organization, body.role);
  const [user] = await findUsers(deps, caller, { ids: [body.userId] });
  if (!user) throw new WireError("USER_NOT_FOUND", { status: 400 });
  const member = await enrolMember(deps, {
    organizationId: params.id,
    userId: body.userId,
    role,
    actor: sessionActor(session),
    caller,
  });
  return { reply: showMember(deps.config, member) };
};
