import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { findOwner, lockKeysOf } from "./queries.ts";

/** Whether a user may get keys. */
export type OwnerState = "free" | "banned" | "departed";

/**
 * Locks a user's set of keys until the transaction ends, and returns whether the user may get any. A key that is inserted under this lock
 * is seen by the deletion of its owner. Only a ban can still change the state. For a session that began before the verified owner of the
 * address claimed the user, or an admin secured the user, the user counts as departed.
 */
export const lockOwner = async (
  { clock }: Pick<Deps, "clock">,
  trx: Transaction<Tables>,
  { userId, sessionCreatedAt }: { userId: string; sessionCreatedAt?: Date | undefined },
): Promise<OwnerState> => {
  await lockKeysOf(trx, userId);
  const owner = await findOwner(trx, userId, new Date(clock()));
  if (!owner) return "free";
  const { hasDeparted, isBanned, claimedAt, securedAt } = owner;
  const isBefore = (end: Date | null) => sessionCreatedAt && end && sessionCreatedAt <= end;
  if (hasDeparted || isBefore(claimedAt) || isBefore(securedAt)) return "departed";
  return isBanned ? "banned" : "free";
};
