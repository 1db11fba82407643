import { WireError } from "@latchkey/contracts";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import { lockOrganization } from "../organizations/lock-organization.ts";
import { findMembership, type MemberRow } from "./queries.ts";

interface Membership {
  organizationId: string;
  userId: string;
}

const requireMembership = async (
  trx: Transaction<Tables>,
  membership: Membership,
): Promise<MemberRow> => {
  const own = await findMembership(trx, membership);
  if (!own) throw new WireError("MEMBER_NOT_FOUND");
  return own;
};

/**
 * The caller's membership once nobody else changes the organization, until the transaction ends: what it allows is good
 * until then. Who is no member takes no lock. Throws `MEMBER_NOT_FOUND`, also where there is no such organization.
 */
export const lockAsMember = async (
  trx: Transaction<Tables>,
  membership: Membership,
): Promise<MemberRow> => {
  await requireMembership(trx, membership);
  await lockOrganization(trx, membership.organizationId);
  return requireMembership(trx, membership);
};
