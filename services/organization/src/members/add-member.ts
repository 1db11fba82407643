import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, serviceActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { readRoles } from "../roles/role-rules.ts";
import { findUsers } from "../users/find-users.ts";
import { addMemberBy, type AddMemberByNeeds } from "./add-member-by.ts";
import { showMember } from "./show-member.ts";

type AddMember = typeof operations.organization.addMember;

/**
 * Makes a user a member on behalf of a service. Throws `NO_ACTIVE_ORGANIZATION` if the request names no organization, `USER_NOT_FOUND` and
 * the errors of `addMemberBy`.
 */
export const addMember = async (
  deps: AddMemberByNeeds & Pick<Deps, "identity">,
  { body: { userId, role: given, organizationId, teamId }, caller }: Call<AddMember>,
): Promise<Answer<OperationReply<AddMember>>> => {
  const role = readRoles(deps.config.organization, given);
  if (!organizationId) throw new WireError("NO_ACTIVE_ORGANIZATION");
  const [user] = await findUsers(deps, caller, { ids: [userId] });
  if (!user) throw new WireError("USER_NOT_FOUND", { status: 400 });
  const member = await addMemberBy(deps, {
    organizationId,
    userId,
    role,
    teamId,
    actor: serviceActor(caller),
    caller,
  });
  return { reply: showMember(deps.config, member) };
};
