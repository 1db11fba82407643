import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { findOwnMembership, type FindOwnMembershipNeeds } from "../members/find-own-membership.ts";
import { allows } from "../roles/role-rules.ts";
import { organizationOf } from "../sessions/organization-of.ts";
import type { Acting } from "./require-second-factor.ts";

export type TwoFactorPolicy = OperationReply<typeof operations.organization.getTwoFactorPolicy>;

/** Returns a policy for replies. */
export const showPolicy = (organizationId: string, requiredFrom: Date | null): TwoFactorPolicy => ({
  organizationId,
  required: requiredFrom !== null,
  requiredFrom,
});

/** Returns the organization that a request names, or the active one. Throws `NO_ACTIVE_ORGANIZATION`. */
export const requireOrganization = ({ session }: Acting, named: string | undefined): string => {
  const organizationId = organizationOf(session, named);
  if (!organizationId) throw new WireError("NO_ACTIVE_ORGANIZATION");
  return organizationId;
};

/**
 * Checks that the caller may manage the policy of an organization. Throws `USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION`,
 * `YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION` and `TWO_FACTOR_REQUIRED`.
 */
export const checkMayManagePolicy = async (
  deps: FindOwnMembershipNeeds,
  acting: Acting,
  organizationId: string,
): Promise<void> => {
  const member = await findOwnMembership(deps, acting, { id: organizationId });
  if (!member) throw new WireError("USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION");
  if (!allows(deps.config.organization, member.role, ["organization", "update"]))
    throw new WireError("YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION");
};
