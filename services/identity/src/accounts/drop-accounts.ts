import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import { appendUnlinked, type AppendUnlinkedNeeds } from "./append-unlinked.ts";
import { deleteAccounts, type TokenAccount } from "./queries.ts";

/**
 * Deletes the accounts of a user but the one that is `kept`, has their providers end what they granted, and gives them. None
 * is added meanwhile where the user is locked.
 */
export const dropAccounts = async (
  trx: Kysely<Tables>,
  deps: AppendUnlinkedNeeds,
  of: { userId: string; kept?: string },
): Promise<TokenAccount[]> => {
  const dropped = await deleteAccounts(trx, of);
  await appendUnlinked(trx, deps, dropped);
  return dropped;
};
