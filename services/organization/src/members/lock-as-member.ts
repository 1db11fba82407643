import { WireError } from "@latchkey/contracts";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import { lockOrganization } from "../organizations/queries.ts";
import type { Acting, RequireSecondFactorNeeds } from "../two-factor/require-second-factor.ts";
import { findOwnMembership } from "./find-own-membership.ts";
import { findMembership, type MemberRow } from "./queries.ts";

interface ActingIn extends Acting {
  organizationId: string;
  /** A member may leave without the second factor that the organization requires. */
  leaves?: boolean;
}

/**
 * Locks the organization until the transaction ends and returns the caller's membership, whose permissions hold until then. Strangers take
 * no lock. Throws `MEMBER_NOT_FOUND`, also for an unknown organization, and `TWO_FACTOR_REQUIRED`.
 */
export const lockAsMember = async (
  deps: RequireSecondFactorNeeds,
  trx: Transaction<Tables>,
  { organizationId, leaves = false, ...acting }: ActingIn,
): Promise<MemberRow> => {
  const { userId } = acting.session.session;
  const requireMembership = async (): Promise<MemberRow> => {
    const own = leaves
      ? await findMembership(trx, { organizationId, userId })
      : await findOwnMembership({ ...deps, db: trx }, acting, { id: organizationId });
    if (!own) throw new WireError("MEMBER_NOT_FOUND");
    return own;
  };
  await requireMembership();
  await lockOrganization(trx, organizationId);
  return requireMembership();
};
