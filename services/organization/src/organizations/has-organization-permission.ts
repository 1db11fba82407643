import {
  anyRoleAllows,
  type OperationReply,
  type operations,
  splitRoles,
  WireError,
} from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findOwnMembership } from "../members/find-own-membership.ts";
import { findMembership, type MemberRow } from "../members/queries.ts";
import { organizationOf } from "../sessions/organization-of.ts";

type HasOrganizationPermission = typeof operations.organization.hasOrganizationPermission;
type HasMemberPermission = typeof operations.organization.hasMemberPermission;
type Needs = Pick<Deps, "clock" | "config" | "db">;

const answer = (
  deps: Pick<Needs, "config">,
  member: MemberRow | undefined,
  asked: Pick<Call<HasMemberPermission>["body"], "permissions" | "permission" | "connector">,
): Answer<OperationReply<HasMemberPermission>> => {
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
  { body, caller, session }: Call<HasOrganizationPermission>,
): Promise<Answer<OperationReply<HasOrganizationPermission>>> => {
  const organizationId = organizationOf(session, body.organizationId);
  if (!organizationId) throw new WireError("NO_ACTIVE_ORGANIZATION");
  const member = await findOwnMembership(deps, { caller, session }, { id: organizationId });
  return answer(deps, member, body);
};

/**
 * Returns the same for any member, for services, which know no session of the member. Throws `USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION`
 * (401).
 */
export const hasMemberPermission = async (
  deps: Pick<Needs, "config" | "db">,
  { body }: Call<HasMemberPermission>,
): Promise<Answer<OperationReply<HasMemberPermission>>> =>
  answer(deps, await findMembership(deps.db, body), body);
