import type { Transaction } from "kysely";
import type { OrganizationConfig } from "../config.ts";
import type { Tables } from "../db/tables.ts";
import { isOwner } from "../roles/role-rules.ts";
import { hasAnotherOwner, type MemberRow } from "./queries.ts";

/**
 * Returns whether a member is the only owner. Must run in a transaction that has locked the organization, so that the answer holds until
 * the transaction ends.
 */
export const isLastOwner = async (
  trx: Transaction<Tables>,
  { organization }: Pick<OrganizationConfig, "organization">,
  { id: memberId, organizationId, role }: MemberRow,
): Promise<boolean> => {
  const { creatorRole } = organization;
  if (!isOwner(organization, role)) return false;
  return !(await hasAnotherOwner(trx, { organizationId, memberId, creatorRole }));
};
