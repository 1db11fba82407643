import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { findOwner, lockKeysOf } from "./queries.ts";

/** Whether a user may be given keys. */
export type OwnerState = "free" | "banned" | "departed";

/**
 * Waits until nobody else gives a user keys or takes them all away, and says whether they may get any. Until the transaction ends
 * nothing of that changes but by a ban: a key that is inserted here is met by the deletion of its owner.
 */
export const lockOwner = async (
  { clock }: Pick<Deps, "clock">,
  trx: Transaction<Tables>,
  userId: string,
): Promise<OwnerState> => {
  await lockKeysOf(trx, userId);
  const owner = await findOwner(trx, userId, new Date(clock()));
  if (owner?.hasDeparted) return "departed";
  return owner?.isBanned ? "banned" : "free";
};
