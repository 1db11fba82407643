import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import { lockOrganizationRow, type OrganizationRow } from "./queries.ts";

/** Locks an organization until the transaction ends, so that counts in it stay valid. Returns undefined if there is none. */
export const lockOrganization = (
  trx: Transaction<Tables>,
  id: string,
): Promise<OrganizationRow | undefined> => lockOrganizationRow(trx, id);
