import { WireError } from "@latchkey/contracts";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import { lockOrganization } from "../organizations/queries.ts";
import { findMembership, type MemberRow, type Membership } from "./queries.ts";

const requireMembership = async (
  trx: Transaction<Tables>,
  membership: Membership,
): Promise<MemberRow> => {
  const own = await findMembership(trx, membership);
  if (!own) throw new WireError("MEMBER_NOT_FOUND");
  return own;
};

/**
 * Locks the organization until the transaction ends and returns the caller's membership, whose permissions hold until then. Strangers take
 * no lock. Throws `MEMBER_NOT_FOUND`, also for an unknown organization.
 */
export const lockAsMember = async (
  trx: Transaction<Tables>,
  membership: Membership,
): Promise<MemberRow> => {
  await requireMembership(trx, membership);
  await lockOrganization(trx, membership.organizationId);
  return requireMembership(trx, membership);
};
