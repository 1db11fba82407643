import { type Caller, WireError } from "@latchkey/contracts";
import type { ResolvedSession } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { forgetOrganization } from "../sessions/choose-organization.ts";
import type { WhichOrganization } from "./queries.ts";

/**
 * Throws `USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION` (403). Where it was the one that the caller's session works in, none of
 * their sessions works in it any more; otherwise a failed look at one leaves sessions alone.
 */
export const refuseStranger = async (
  deps: Pick<Deps, "identity" | "logger">,
  { caller, session: { session } }: { caller: Caller; session: ResolvedSession },
  which: WhichOrganization,
): Promise<never> => {
  if ("id" in which && which.id === session.activeOrganizationId)
    await forgetOrganization(deps, caller, {
      organizationId: which.id,
      userIds: [session.userId],
    });
  throw new WireError("USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION", { status: 403 });
};
