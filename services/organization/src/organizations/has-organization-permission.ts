import {
  anyRoleAllows,
  type OperationReply,
  type operations,
  splitRoles,
  WireError,
} from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findMember } from "../members/find-member.ts";
import { organizationOf } from "../sessions/organization-of.ts";

type HasOrganizationPermission = typeof operations.organization.hasOrganizationPermission;

/**
 * Says whether one of the caller's roles in an organization allows all that is asked for. Throws `NO_ACTIVE_ORGANIZATION`,
 * and `USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION` (401), also where there is no such organization.
 */
export const hasOrganizationPermission = async (
  deps: Pick<Deps, "config" | "db">,
  { body, session }: Call<HasOrganizationPermission>,
): Promise<Answer<OperationReply<HasOrganizationPermission>>> => {
  const organizationId = organizationOf(session, body.organizationId);
  if (!organizationId) throw new WireError("NO_ACTIVE_ORGANIZATION");
  const member = await findMember(deps, { organizationId, userId: session.user.id });
  if (!member) throw new WireError("USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION", { status: 401 });
  const asked = body.permissions ?? body.permission ?? {};
  const { roles } = deps.config.organization;
  return {
    reply: { error: null, success: anyRoleAllows(roles, splitRoles(member.role), asked) },
  };
};
