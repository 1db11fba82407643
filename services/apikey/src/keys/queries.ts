import { compileTogether, picker, qualified, type Slots } from "@latchkey/service-kit";
import { type Insertable, type Kysely, sql, type Transaction, type Updateable } from "kysely";
import type { ApiKeyTable, Tables } from "../db/tables.ts";
import { type ApiKeyRow, keySelection } from "./key-row.ts";

/** Identifies a key of a user. */
export interface OwnKey {
  id: string;
  userId: string;
}

/** Inserts a key. Returns undefined if the text exists. */
export const insertKey = (
  db: Kysely<Tables>,
  key: Insertable<ApiKeyTable>,
): Promise<ApiKeyRow | undefined> =>
  db
    .insertInto("apiKey")
    .values(key)
    .onConflict((conflict) => conflict.column("key").doNothing())
    .returning(keySelection)
    .executeTakeFirst();

const selectOwnKey = (db: Kysely<Tables>, { id, userId }: OwnKey) =>
  db.selectFrom("apiKey").select(keySelection).where("id", "=", id).where("userId", "=", userId);

export const findOwnKey = (db: Kysely<Tables>, key: OwnKey): Promise<ApiKeyRow | undefined> =>
  selectOwnKey(db, key).executeTakeFirst();

/** Returns any user's key. */
export const findKey = (db: Kysely<Tables>, id: string): Promise<ApiKeyRow | undefined> =>
  db.selectFrom("apiKey").select(keySelection).where("id", "=", id).executeTakeFirst();

/** Locks any user's key until the transaction ends. Concurrent uses wait and then apply to its new state. */
export const lockKey = (trx: Transaction<Tables>, id: string): Promise<ApiKeyRow | undefined> =>
  trx
    .selectFrom("apiKey")
    .select(keySelection)
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();

/** Selects keys of a user and their order. Ties are sorted by id. */
export interface OwnKeysPage {
  userId: string;
  order: {
    by: "createdAt" | "updatedAt" | "name" | "expiresAt" | "lastRequest";
    direction: "asc" | "desc";
  };
  limit: number;
  offset: number;
}

const pickKey = picker<ApiKeyRow>(keySelection);

type PageSlots = Slots<Omit<OwnKeysPage, "order">>;

const selectPageBy = (by: OwnKeysPage["order"]["by"], direction: "asc" | "desc") =>
  compileTogether({ userId: "text" }, (db: Kysely<Tables>, { userId, limit, offset }: PageSlots) =>
    db
      .selectFrom((eb) =>
        eb
          .selectFrom("apiKey")
          .select(({ fn }) => fn.countAll<number>().as("total"))
          .where("userId", "=", userId)
          .as("counted"),
      )
      .leftJoinLateral(
        (eb) =>
          eb
            .selectFrom("apiKey")
            .select(keySelection)
            .where("userId", "=", userId)
            .orderBy(by, direction)
            .orderBy("id", direction)
            .limit(limit)
            .offset(offset)
            .as("page"),
        (join) => join.onTrue(),
      )
      .select(qualified("page", keySelection))
      .select("counted.total")
      .orderBy(`page.${by}`, direction)
      .orderBy("page.id", direction),
  );

const selectPage = {
  createdAt: { asc: selectPageBy("createdAt", "asc"), desc: selectPageBy("createdAt", "desc") },
  updatedAt: { asc: selectPageBy("updatedAt", "asc"), desc: selectPageBy("updatedAt", "desc") },
  name: { asc: selectPageBy("name", "asc"), desc: selectPageBy("name", "desc") },
  expiresAt: { asc: selectPageBy("expiresAt", "asc"), desc: selectPageBy("expiresAt", "desc") },
  lastRequest: {
    asc: selectPageBy("lastRequest", "asc"),
    desc: selectPageBy("lastRequest", "desc"),
  },
};

/** Returns a page of a user's keys and the number of all their keys. */
export const listOwnKeys = async (
  db: Kysely<Tables>,
  { order: { by, direction }, ...page }: OwnKeysPage,
): Promise<{ keys: ApiKeyRow[]; total: number }> => {
  const rows = await selectPage[by][direction].rows(db, page);
  const keys = rows
    .filter(({ id }) => id !== null) // an empty page is one row of nulls, with the number
    .map(pickKey);
  return { keys, total: rows[0]?.total ?? 0 };
};

/** Whether the audit log says that its owner created a key. A pruned or imported entry says nothing. */
export const isMadeByOwner = async (
  db: Kysely<Tables>,
  { id, userId }: OwnKey,
): Promise<boolean> => {
  const found = await db
    .selectFrom("audit")
    .select("actorId")
    .where("subjectKind", "=", "api-key")
    .where("subjectId", "=", id)
    .where("action", "=", "api-key.created")
    .limit(1)
    .executeTakeFirst();
  return found?.actorId === userId;
};

/** Changes only the named fields, so that no concurrent use is lost. Returns undefined if there is no such key. */
export const updateKey = (
  db: Kysely<Tables>,
  id: string,
  change: Updateable<ApiKeyTable>,
): Promise<ApiKeyRow | undefined> =>
  db
    .updateTable("apiKey")
    .set(change)
    .where("id", "=", id)
    .returning(keySelection)
    .executeTakeFirst();

/** A re-roll of a key, as the database records it. */
interface Retirement {
  id: string;
  successorId: string;
  /** When the key ends at the latest. */
  endsAt: Date;
  /** Whether the key is refused from now on, whatever the clock of the process that verifies it. */
  isImmediate: boolean;
  now: Date;
}

/** Retires a key. Of several concurrent calls, one succeeds. Returns undefined if it is retired already. */
export const updateRetired = (
  db: Kysely<Tables>,
  { id, successorId, endsAt, isImmediate, now }: Retirement,
): Promise<ApiKeyRow | undefined> =>
  db
    .updateTable("apiKey")
    .set({
      successorId,
      expiresAt: sql`least(expires_at, ${endsAt})`,
      ...(isImmediate && { enabled: false }),
      updatedAt: now,
    })
    .where("id", "=", id)
    .where("successorId", "is", null)
    .returning(keySelection)
    .executeTakeFirst();

/** Makes the earlier keys of a re-rolled key use the limits of its successor, so that a successor is never retired itself. */
export const updateSuccessor = async (
  db: Kysely<Tables>,
  { id, successorId }: Pick<Retirement, "id" | "successorId">,
): Promise<void> => {
  await db.updateTable("apiKey").set({ successorId }).where("successorId", "=", id).execute();
};

/** Returns false if there was no such key. */
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

/** Deletes a key if it expired before `now`, or has no uses left and no refill. Returns whether it did. */
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

/** Deletes up to `limit` keys that expired before `now`, skipping locked ones. Returns the deleted keys. */
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
