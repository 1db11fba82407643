import type { Caller } from "@latchkey/contracts";
import type { ResolvedSession } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findMember } from "../members/find-member.ts";
import {
  type chooseOrganizationIfPossible,
  forgetOrganization,
  type SessionsChanged,
} from "./choose-organization.ts";

type Needs = Pick<Deps, "db" | "identity" | "logger">;

interface Choice {
  organizationId: string;
  /** Tells identity. */
  choose: typeof chooseOrganizationIfPossible;
}

/**
 * Has the caller's session work in an organization of theirs, and looks once more whether it is: a removal meanwhile may
 * have gone through their sessions before the choice reached one. Then none of them works there, and `isMember` is false;
 * the answer tells the gateway that earlier copies are over, but gives the browser none.
 */
export const chooseAsMember = async (
  deps: Needs,
  { caller, session: { user } }: { caller: Caller; session: ResolvedSession },
  { organizationId, choose }: Choice,
): Promise<{ isMember: boolean; changed: SessionsChanged }> => {
  const chosen = await choose(deps, caller, organizationId);
  if (await findMember(deps, { organizationId, userId: user.id }))
    return { isMember: true, changed: chosen };
  const userIds = [user.id];
  const forgotten = await forgetOrganization(deps, caller, { organizationId, userIds });
  return { isMember: false, changed: { headers: { ...chosen.headers, ...forgotten.headers } } };
};
