import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import { appendUnlinked, type AppendUnlinkedNeeds } from "./append-unlinked.ts";
import { deleteAccounts, type TokenAccount } from "./queries.ts";

/**
 * Deletes a user's accounts, except those that `deleteAccounts` spares, publishes events to revoke their grants, and returns them. Lock
 * the user first, so that no account is added concurrently.
 */
export const dropAccounts = async (
  trx: Kysely<Tables>,
  deps: AppendUnlinkedNeeds,
  of: Parameters<typeof deleteAccounts>[1],
): Promise<TokenAccount[]> => {
  const dropped = await deleteAccounts(trx, of);
  await appendUnlinked(trx, deps, dropped);
  return dropped;
};
