import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import { type LockedUser, lockUserRow } from "./queries.ts";

/**
 * Has whoever else changes a user, or what is theirs, wait until the transaction ends; what refers to the user may still be
 * added. Gives what is so of them until then; undefined when there is none.
 */
export const lockUser = (trx: Kysely<Tables>, userId: string): Promise<LockedUser | undefined> =>
  lockUserRow(trx, userId);
