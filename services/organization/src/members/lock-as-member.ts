import { WireError } from "@latchkey/contracts";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import { lockOrganization } from "../organizations/lock-organization.ts";
import { findMembership, type MemberRow } from "./queries.ts";

/**
 * The caller's membership once nobody else changes the organization, until the transaction ends: what it allows is good
 * until then. Throws `MEMBER_NOT_FOUND`, also where there is no such organization.
 */
export const lockAsMember = async (
  trx: Transaction<Tables>,
  membership: { organizationId: string; userId: string },
): Promise<MemberRow> => {
  await lockOrganization(trx, membership.organizationId);
  const own = await findMembership(trx, membership);
  if (!own) throw new WireError("MEMBER_NOT_FOUND");
  return own;
};
