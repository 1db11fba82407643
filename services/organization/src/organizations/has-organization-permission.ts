import {
  anyRoleAllows,
  type OperationReply,
  type operations,
  splitRoles,
  WireError,
} from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findMembership } from "../members/queries.ts";
import { organizationOf } from "../sessions/organization-of.ts";

type HasOrganizationPermission = typeof operations.organization.hasOrganizationPermission;
type HasMemberPermission = typeof operations.organization.hasMemberPermission;
type Needs = Pick<Deps, "config" | "db">;

const answer = async (
  deps: Needs,
  membership: { organizationId: string; userId: string },
  asked: Pick<Call<HasMemberPermission>["body"], "permissions" | "permission" | "connector">,
): Promise<Answer<OperationReply<HasMemberPermission>>> => {
  const member = await findMembership(deps.db, membership);
  if (!member) throw new WireError("USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION", { status: 401 });
  const { permissions = asked.permission ?? {}, connector } = asked;
  const { roles } = deps.config.organization;
  const success = anyRoleAllows(roles, splitRoles(member.role), { permissions, connector });
  return { reply: { error: null, success } };
};

/**
 * Returns whether one of the caller's roles in an organization grants all requested permissions. Throws `NO_ACTIVE_ORGANIZATION`, and
 * `USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION` (401), also for an unknown organization.
 */
export const hasOrganizationPermission = async (
  deps: Needs,
  { body, session }: Call<HasOrganizationPermission>,
): Promise<Answer<OperationReply<HasOrganizationPermission>>> => {
  const organizationId = organizationOf(session, body.organizationId);
  if (!organizationId) throw new WireError("NO_ACTIVE_ORGANIZATION");
  return answer(deps, { organizationId, userId: session.user.id }, body);
};

/** Returns the same for any member, for services. Throws `USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION` (401). */
export const hasMemberPermission = (
  deps: Needs,
  { body }: Call<HasMemberPermission>,
): Promise<Answer<OperationReply<HasMemberPermission>>> => answer(deps, body, body);
