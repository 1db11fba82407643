import { WireError } from "@latchkey/contracts";
import type { Transaction } from "kysely";
import type { OrganizationConfig } from "../config.ts";
import type { Tables } from "../db/tables.ts";
import { isLastOwner } from "./is-last-owner.ts";
import type { MemberRow } from "./queries.ts";

/**
 * Refuses to take the owner's role from the only owner. Must run in a transaction that has locked the organization, so that one of two
 * owners who leave at once stays.
 */
export const keepOwner = async (
  trx: Transaction<Tables>,
  config: Pick<OrganizationConfig, "organization">,
  member: MemberRow,
): Promise<void> => {
  if (await isLastOwner(trx, config, member))
    throw new WireError("YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER");
};
