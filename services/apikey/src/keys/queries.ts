import type { Insertable, Kysely, Transaction, Updateable } from "kysely";
import type { ApiKeyTable, Tables } from "../db/tables.ts";
import { type ApiKeyRow, keyColumns } from "./key-row.ts";

/** A key, if it is that user's. */
export interface OwnKey {
  id: string;
  userId: string;
}

/** Writes a key; undefined where there is one of the same text. */
export const insertKey = (
  db: Kysely<Tables>,
  key: Insertable<ApiKeyTable>,
): Promise<ApiKeyRow | undefined> =>
  db
    .insertInto("apiKey")
    .values(key)
    .onConflict((conflict) => conflict.column("key").doNothing())
    .returning(keyColumns)
    .executeTakeFirst();

const selectOwnKey = (db: Kysely<Tables>, { id, userId }: OwnKey) =>
  db.selectFrom("apiKey").select(keyColumns).where("id", "=", id).where("userId", "=", userId);

export const findOwnKey = (db: Kysely<Tables>, key: OwnKey): Promise<ApiKeyRow | undefined> =>
  selectOwnKey(db, key).executeTakeFirst();

/** Locks a key until the transaction ends: uses of it wait, then count from what it is made. */
export const lockOwnKey = (trx: Transaction<Tables>, key: OwnKey): Promise<ApiKeyRow | undefined> =>
  selectOwnKey(trx, key).forNoKeyUpdate().executeTakeFirst();

/** Keys of a user, the oldest first. */
export const listOwnKeys = (
  db: Kysely<Tables>,
  { userId, limit, offset }: { userId: string; limit: number; offset: number },
): Promise<ApiKeyRow[]> =>
  db
    .selectFrom("apiKey")
    .select(keyColumns)
    .where("userId", "=", userId)
    .orderBy("createdAt")
    .orderBy("id")
    .limit(limit)
    .offset(offset)
    .execute();

/** Changes what is named and nothing else, so no use that is counted meanwhile is lost; undefined where there is no such key. */
export const updateKey = (
  db: Kysely<Tables>,
  { id, userId }: OwnKey,
  change: Updateable<ApiKeyTable>,
): Promise<ApiKeyRow | undefined> =>
  db
    .updateTable("apiKey")
    .set(change)
    .where("id", "=", id)
    .where("userId", "=", userId)
    .returning(keyColumns)
    .executeTakeFirst();

/** False where there was no such key. */
export const deleteOwnKey = async (
  db: Kysely<Tables>,
  { id, userId }: OwnKey,
): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom("apiKey")
    .where("id", "=", id)
    .where("userId", "=", userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
};

/** Deletes a key if it expired before `now`, or has no uses left that anything refills; false where it was not so. */
export const deleteSpentKey = async (
  db: Kysely<Tables>,
  id: string,
  now: Date,
): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom("apiKey")
    .where("id", "=", id)
    .where(({ and, eb, or }) =>
      or([
        eb("expiresAt", "<", now),
        and([eb("remaining", "=", 0), eb("refillAmount", "is", null)]),
      ]),
    )
    .executeTakeFirst();
  return numDeletedRows > 0n;
};

/** Deletes up to `limit` keys that expired before `now`, passing by those in use; gives which. */
export const deleteExpiredKeys = (
  db: Kysely<Tables>,
  now: Date,
  limit: number,
): Promise<OwnKey[]> =>
  db
    .deleteFrom("apiKey")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("apiKey")
        .select("id")
        .where("expiresAt", "<", now)
        .orderBy("expiresAt")
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .where("expiresAt", "<", now)
    .returning(["id", "userId"])
    .execute();
