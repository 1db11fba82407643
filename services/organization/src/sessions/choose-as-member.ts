import type { Caller } from "@latchkey/contracts";
import type { ResolvedSession } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findMembership } from "../members/queries.ts";
import {
  type chooseOrganizationIfPossible,
  forgetOrganization,
  type SessionsChanged,
} from "./choose-organization.ts";

type Needs = Pick<Deps, "db" | "identity" | "logger">;

interface Choice {
  organizationId: string;
  /** Calls identity. */
  choose: typeof chooseOrganizationIfPossible;
}

/**
 * Makes an organization of the caller active in their session, then checks the membership again. A concurrent removal may have cleared the
 * user's sessions before the choice reached one. In that case all sessions are cleared and `isMember` is false. The reply then tells the
 * gateway that earlier cached sessions are void, without giving the browser a new one.
 */
export const chooseAsMember = async (
  deps: Needs,
  { caller, session: { user } }: { caller: Caller; session: ResolvedSession },
  { organizationId, choose }: Choice,
): Promise<{ isMember: boolean; changed: SessionsChanged }> => {
  const chosen = await choose(deps, caller, organizationId);
  if (await findMembership(deps.db, { organizationId, userId: user.id }))
    return { isMember: true, changed: chosen };
  const userIds = [user.id];
  const forgotten = await forgetOrganization(deps, caller, { organizationId, userIds });
  return { isMember: false, changed: { headers: { ...chosen.headers, ...forgotten.headers } } };
};
