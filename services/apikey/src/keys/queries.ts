import { compileTogether, picker, qualified, type Slots } from "@latchkey/service-kit/database";
import { type Insertable, type Kysely, sql, type Transaction, type Updateable } from "kysely";
import type { ApiKeyTable, Tables } from "../db/tables.ts";
import {
  type ApiKeyRow,
  type KeyOwner,
  keySelection,
  ownerColumn,
  type OwnerColumns,
} from "../db/key-row.ts";

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

/** Returns a key of any owner. */
export const findKey = (db: Kysely<Tables>, id: string): Promise<ApiKeyRow | undefined> =>
  db.selectFrom("apiKey").select(keySelection).where("id", "=", id).executeTakeFirst();

/** Locks a key of any owner until the transaction ends. Concurrent uses wait and then apply to its new state. */
export const lockKey = (trx: Transaction<Tables>, id: string): Promise<ApiKeyRow | undefined> =>
  trx
    .selectFrom("apiKey")
    .select(keySelection)
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();

/** Selects keys of an owner and their order. Ties are sorted by id. */
export interface OwnKeysPage {
  owner: KeyOwner;
  order: {
    by: "createdAt" | "updatedAt" | "name" | "expiresAt" | "lastRequest";
    direction: "asc" | "desc";
  };
  limit: number;
  offset: number;
}

const pickKey = picker<ApiKeyRow>(keySelection);

type PageSlots = Slots<Omit<OwnKeysPage, "order" | "owner"> & { ownerId: string }>;
type Order = OwnKeysPage["order"];

const selectPageBy = (column: keyof OwnerColumns, { by, direction }: Order) =>
  compileTogether(
    { ownerId: "text" },
    (db: Kysely<Tables>, { ownerId, limit, offset }: PageSlots) =>
      db
        .selectFrom((eb) =>
          eb
            .selectFrom("apiKey")
            .select(({ fn }) => fn.countAll<number>().as("total"))
            .where(column, "=", ownerId)
            .as("counted"),
        )
        .leftJoinLateral(
          (eb) =>
            eb
              .selectFrom("apiKey")
              .select(keySelection)
              .where(column, "=", ownerId)
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

const bothDirections = (column: keyof OwnerColumns, by: Order["by"]) => ({
  asc: selectPageBy(column, { by, direction: "asc" }),
  desc: selectPageBy(column, { by, direction: "desc" }),
});

const everyOrder = (column: keyof OwnerColumns) => ({
  createdAt: bothDirections(column, "createdAt"),
  updatedAt: bothDirections(column, "updatedAt"),
  name: bothDirections(column, "name"),
  expiresAt: bothDirections(column, "expiresAt"),
  lastRequest: bothDirections(column, "lastRequest"),
});

const selectPage = { userId: everyOrder("userId"), organizationId: everyOrder("organizationId") };

/** Returns a page of an owner's keys and the number of all their keys. */
export const listOwnKeys = async (
  db: Kysely<Tables>,
  { owner, order: { by, direction }, limit, offset }: OwnKeysPage,
): Promise<{ keys: ApiKeyRow[]; total: number }> => {
  const [column, ownerId] = ownerColumn(owner);
  const rows = await selectPage[column][by][direction].rows(db, { ownerId, limit, offset });
  const keys = rows
    .filter(({ id }) => id !== null) // an empty page is one row of nulls, with the number
    .map(pickKey);
  return { keys, total: rows[0]?.total ?? 0 };
};

/** Whether the audit log says that its owner created a key. A pruned or imported entry says nothing. */
export const isMadeByOwner = async (
  db: Kysely<Tables>,
  { id, userId }: Pick<ApiKeyRow, "id" | "userId">,
): Promise<boolean> => {
  const creation = await db
    .selectFrom("audit")
    .select("actorId")
    .where("subjectKind", "=", "api-key")
    .where("subjectId", "=", id)
    .where("action", "=", "api-key.created")
    .limit(1)
    .executeTakeFirst();
  return userId !== null && creation?.actorId === userId;
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

/** The counters of a key, which its uses change. */
type Leftover = Pick<ApiKeyRow, "lastRefillAt" | "lastRequest" | "remaining" | "requestCount">;

/** Makes the earlier keys of a re-rolled key use the limits of its successor, so that a successor is never retired itself. */
export const updateSuccessor = async (
  db: Kysely<Tables>,
  { id, successorId }: Pick<Retirement, "id" | "successorId">,
): Promise<void> => {
  await db.updateTable("apiKey").set({ successorId }).where("successorId", "=", id).execute();
};

/** Deletes a key that nobody has changed or re-rolled since it was read, and returns its counters. */
export const deleteUnchangedKey = (
  db: Kysely<Tables>,
  { id, updatedAt }: Pick<ApiKeyRow, "id" | "updatedAt">,
): Promise<Leftover | undefined> =>
  db
    .deleteFrom("apiKey")
    .where("id", "=", id)
    .where("updatedAt", "=", updatedAt)
    .where("successorId", "is", null)
    .returning(["remaining", "lastRefillAt", "requestCount", "lastRequest"])
    .executeTakeFirst();

/** Makes a replaced key what it was before, with the limits of its deleted successor. Returns undefined if it is deleted. */
export const updateRestored = (
  db: Kysely<Tables>,
  { replaced, left, now }: { replaced: ApiKeyRow; left: Leftover; now: Date },
): Promise<ApiKeyRow | undefined> =>
  db
    .updateTable("apiKey")
    .set({
      ...left,
      successorId: null,
      enabled: replaced.enabled,
      expiresAt: replaced.expiresAt,
      updatedAt: now,
    })
    .where("id", "=", replaced.id)
    .returning(keySelection)
    .executeTakeFirst();

/** Deletes a key of any owner and returns its owner. Returns undefined if there is none. */
export const deleteKey = (db: Kysely<Tables>, id: string): Promise<OwnerColumns | undefined> =>
  db
    .deleteFrom("apiKey")
    .where("id", "=", id)
    .returning(["userId", "organizationId"])
    .executeTakeFirst();

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
): Promise<(OwnerColumns & { id: string })[]> =>
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
    .returning(["id", "userId", "organizationId"])
    .execute();

const dayOf = (time: Date): string => time.toISOString().slice(0, "2030-01-01".length);

/** Counts a mail about a new key, in the transaction that publishes it. Returns false beyond `max` mails to the user on one day of UTC. */
export const countNewKeyMail = async (
  trx: Kysely<Tables>,
  { userId, now, max }: { userId: string; now: Date; max: number },
): Promise<boolean> => {
  const counted = await trx
    .insertInto("newKeyMail")
    .values({ userId, day: dayOf(now), count: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(["userId", "day"])
        .doUpdateSet((eb) => ({ count: eb("newKeyMail.count", "+", 1) }))
        .where("newKeyMail.count", "<", max),
    )
    .returning("count")
    .executeTakeFirst();
  return counted !== undefined;
};

/** Deletes the counts of days before `now`, which no limit needs any more. */
export const deleteOldNewKeyMails = async (db: Kysely<Tables>, now: Date): Promise<void> => {
  await db.deleteFrom("newKeyMail").where("day", "<", dayOf(now)).execute();
};
