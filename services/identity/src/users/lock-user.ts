import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import { type LockedUser, lockUserRow } from "./queries.ts";

/**
 * Locks the user's row until the transaction ends. Other changes of the user and of what belongs to the user wait. New
 * references to the user are still possible. Returns the locked state, or undefined if there is no such user.
 */
export const lockUser = (trx: Kysely<Tables>, userId: string): Promise<LockedUser | undefined> =>
  lockUserRow(trx, userId);
