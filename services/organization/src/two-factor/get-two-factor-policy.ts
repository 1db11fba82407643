import type { operations } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { FindOwnMembershipNeeds } from "../members/find-own-membership.ts";
import {
  checkMayManagePolicy,
  requireOrganization,
  showPolicy,
  type TwoFactorPolicy,
} from "./manage-policy.ts";
import { findSecondFactorFrom } from "./queries.ts";

type GetTwoFactorPolicy = typeof operations.organization.getTwoFactorPolicy;

/** Returns whether an organization requires a second factor. Throws the errors of `checkMayManagePolicy`. */
export const getTwoFactorPolicy = async (
  deps: FindOwnMembershipNeeds,
  call: Call<GetTwoFactorPolicy>,
): Promise<Answer<TwoFactorPolicy>> => {
  const organizationId = requireOrganization(call, call.query.organizationId);
  await checkMayManagePolicy(deps, call, organizationId);
  return { reply: showPolicy(organizationId, await findSecondFactorFrom(deps.db, organizationId)) };
};
