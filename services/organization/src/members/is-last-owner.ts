import type { Transaction } from "kysely";
import type { OrganizationConfig } from "../config.ts";
import type { Tables } from "../db/tables.ts";
import { isOwner } from "../roles/role-rules.ts";
import { hasAnotherOwner, type MemberRow } from "./queries.ts";

/**
 * Whether a member is the only one with the owner's role. In a transaction that has locked the organization, so that it stays
 * true until its end.
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
