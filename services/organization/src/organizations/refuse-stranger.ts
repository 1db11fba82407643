import { type Caller, WireError } from "@latchkey/contracts";
import type { ResolvedSession } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { forgetOrganization } from "../sessions/choose-organization.ts";
import type { WhichOrganization } from "./queries.ts";

/**
 * Throws `USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION` (403). If it was the active organization of the caller's session, it is removed from
 * all of the caller's sessions. Otherwise sessions stay as they are.
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
