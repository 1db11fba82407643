import { type Kysely, sql, type Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import { type KeyOwner, ownerColumn } from "../keys/key-owner.ts";

/** The state of a ban, as of a revision of the user. */
export interface OwnerBan {
  userId: string;
  revision: number;
  banned: boolean;
  bannedUntil: Date | null;
}

const lockNameOf = (owner: KeyOwner): string =>
  "userId" in owner ? `owner:${owner.userId}` : `organization:${owner.organizationId}`;

/** Locks an owner's set of keys until the transaction ends. Waits for transactions that add keys or delete all of them. */
export const lockKeysOf = async (trx: Transaction<Tables>, owner: KeyOwner): Promise<void> => {
  const name = lockNameOf(owner);
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
};

/** Returns the state of an owner of keys at `now`. Undefined for a user without events. */
export const findOwner = (
  db: Kysely<Tables>,
  userId: string,
  now: Date,
): Promise<
  | { hasDeparted: boolean; isBanned: boolean; claimedAt: Date | null; securedAt: Date | null }
  | undefined
> =>
  db
    .selectFrom("owner")
    .select([
      sql<boolean>`departed_at is not null`.as("hasDeparted"),
      sql<boolean>`banned and (banned_until is null or banned_until > ${now})`.as("isBanned"),
      "claimedAt",
      "securedAt",
    ])
    .where("userId", "=", userId)
    .executeTakeFirst();

/** Records a ban, unless a newer revision is stored. */
export const upsertBan = async (db: Kysely<Tables>, ban: OwnerBan): Promise<void> => {
  await db
    .insertInto("owner")
    .values({ ...ban, departedAt: null, claimedAt: null, securedAt: null })
    .onConflict((conflict) =>
      conflict
        .column("userId")
        .doUpdateSet((eb) => ({
          revision: eb.ref("excluded.revision"),
          banned: eb.ref("excluded.banned"),
          bannedUntil: eb.ref("excluded.bannedUntil"),
        }))
        .whereRef("owner.revision", "<", "excluded.revision"),
    )
    .execute();
};

/** The row of a user without other events. */
const unheardOf = {
  revision: 0,
  banned: false,
  bannedUntil: null,
  departedAt: null,
  claimedAt: null,
  securedAt: null,
} as const;

/** Records when the verified owner of an address claimed the user. Of several claims the latest counts. */
export const upsertClaimed = async (
  db: Kysely<Tables>,
  userId: string,
  claimedAt: Date,
): Promise<void> => {
  await db
    .insertInto("owner")
    .values({ ...unheardOf, userId, claimedAt })
    .onConflict((conflict) =>
      conflict.column("userId").doUpdateSet({
        claimedAt: sql`greatest(owner.claimed_at, excluded.claimed_at)`,
      }),
    )
    .execute();
};

/** Records when an admin secured a user. Of several times the latest counts. */
export const upsertSecured = async (
  db: Kysely<Tables>,
  userId: string,
  securedAt: Date,
): Promise<void> => {
  await db
    .insertInto("owner")
    .values({ ...unheardOf, userId, securedAt })
    .onConflict((conflict) =>
      conflict.column("userId").doUpdateSet({
        securedAt: sql`greatest(owner.secured_at, excluded.secured_at)`,
      }),
    )
    .execute();
};

/** Returns whether the keys of a user from before a time were disabled by that time's event, or a later one. */
export const isSecured = async (
  db: Kysely<Tables>,
  userId: string,
  securedAt: Date,
): Promise<boolean> => {
  const found = await db
    .selectFrom("owner")
    .select("userId")
    .where("userId", "=", userId)
    .where("securedAt", ">=", securedAt)
    .executeTakeFirst();
  return found !== undefined;
};

/** Disables the keys that a user had, or had created for organizations, at a time, as an admin does. Returns the ids of those that were not disabled by an admin. */
export const disableKeysOf = async (
  db: Kysely<Tables>,
  { userId, createdUntil, now }: { userId: string; createdUntil: Date; now: Date },
): Promise<string[]> => {
  const rows = await db
    .updateTable("apiKey")
    .set({ disabledByAdmin: true, updatedAt: now })
    .where(({ eb, or }) => or([eb("userId", "=", userId), eb("createdBy", "=", userId)]))
    .where("createdAt", "<=", createdUntil)
    .where("disabledByAdmin", "=", false)
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
};

/** Records that a user was deleted, and when the first event of that arrived. */
export const upsertDeparted = async (
  db: Kysely<Tables>,
  userId: string,
  departedAt: Date,
): Promise<void> => {
  await db
    .insertInto("owner")
    .values({ ...unheardOf, userId, departedAt })
    .onConflict((conflict) =>
      conflict
        .column("userId")
        .doUpdateSet((eb) => ({ departedAt: eb.ref("excluded.departedAt") }))
        .where("owner.departedAt", "is", null),
    )
    .execute();
};

/** Selects keys of an owner, the oldest first. */
export interface KeysOf {
  owner: KeyOwner;
  /** The latest creation time of the keys. Undefined selects all. */
  createdUntil?: Date;
  limit: number;
}

/**
 * Deletes some keys of an owner and returns their ids. It waits for transactions that change one. Fewer than `limit` ids
 * mean that none is left.
 */
export const deleteKeysOf = async (
  db: Kysely<Tables>,
  { owner, createdUntil, limit }: KeysOf,
): Promise<string[]> => {
  const [column, ownerId] = ownerColumn(owner);
  const rows = await db
    .with("chosen", (cte) =>
      cte
        .selectFrom("apiKey")
        .select("id")
        .where(column, "=", ownerId)
        .$if(createdUntil !== undefined, (keys) =>
          keys.where("createdAt", "<=", createdUntil as Date),
        )
        .orderBy("createdAt")
        .orderBy("id")
        .limit(limit)
        .forUpdate(),
    )
    .deleteFrom("apiKey")
    .using("chosen")
    .whereRef("apiKey.id", "=", "chosen.id")
    .returning("apiKey.id")
    .execute();
  return rows.map(({ id }) => id);
};

/** Returns up to `limit` users who were deleted before a moment, the earliest first. */
export const listDeparted = async (
  db: Kysely<Tables>,
  before: Date,
  limit: number,
): Promise<string[]> => {
  const rows = await db
    .selectFrom("owner")
    .select("userId")
    .where("departedAt", "<", before)
    .orderBy("departedAt")
    .limit(limit)
    .execute();
  return rows.map(({ userId }) => userId);
};

export const deleteOwners = async (
  db: Kysely<Tables>,
  userIds: readonly string[],
): Promise<void> => {
  await db
    .deleteFrom("owner")
    .where("userId", "=", (eb) => eb.fn.any(eb.val(userIds)))
    .execute();
};
