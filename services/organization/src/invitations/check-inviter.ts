import { WireError } from "@latchkey/contracts";
import type { OrganizationConfig } from "../config.ts";
import type { MemberRow } from "../members/queries.ts";
import { allows, isOwner } from "../roles/role-rules.ts";

/**
 * Refuses to invite somebody to some roles: `MEMBER_NOT_FOUND` to who is not a member,
 * `YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION`, and `YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE` to who
 * would give the owner's role without having it.
 */
export const checkInviter = (
  { organization }: Pick<OrganizationConfig, "organization">,
  member: MemberRow | undefined,
  role: string,
): MemberRow => {
  if (!member) throw new WireError("MEMBER_NOT_FOUND");
  if (!allows(organization, member.role, ["invitation", "create"]))
    throw new WireError("YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION");
  if (isOwner(organization, role) && !isOwner(organization, member.role))
    throw new WireError("YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE");
  return member;
};
