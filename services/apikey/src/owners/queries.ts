import { type Kysely, sql, type Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";

/** How a ban of a user stands, as of a revision of the user. */
export interface OwnerBan {
  userId: string;
  revision: number;
  banned: boolean;
  bannedUntil: Date | null;
}

/** Waits until nobody else gives a user keys or takes them all away, until the transaction ends. */
export const lockKeysOf = async (trx: Transaction<Tables>, userId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`owner:${userId}`}, 0))`.execute(trx);
};

/** What stands in the way of a user's keys at `now`; undefined where nothing ever did. */
export const findOwner = (
  db: Kysely<Tables>,
  userId: string,
  now: Date,
): Promise<{ hasDeparted: boolean; isBanned: boolean } | undefined> =>
  db
    .selectFrom("owner")
    .select([
      sql<boolean>`departed_at is not null`.as("hasDeparted"),
      sql<boolean>`banned and (banned_until is null or banned_until > ${now})`.as("isBanned"),
    ])
    .where("userId", "=", userId)
    .executeTakeFirst();

/** Notes how a ban stands, unless something newer is known of it. */
export const upsertBan = async (db: Kysely<Tables>, ban: OwnerBan): Promise<void> => {
  await db
    .insertInto("owner")
    .values({ ...ban, departedAt: null })
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

/** Remembers that a user has ceased to exist, and when that was first heard. */
export const upsertDeparted = async (
  db: Kysely<Tables>,
  userId: string,
  departedAt: Date,
): Promise<void> => {
  await db
    .insertInto("owner")
    .values({ userId, revision: 0, banned: false, bannedUntil: null, departedAt })
    .onConflict((conflict) =>
      conflict
        .column("userId")
        .doUpdateSet((eb) => ({ departedAt: eb.ref("excluded.departedAt") }))
        .where("owner.departedAt", "is", null),
    )
    .execute();
};

/**
 * Deletes up to `limit` keys of a user, and gives their ids. It waits for whoever is changing one, so that fewer than `limit` are
 * all that there were.
 */
export const deleteKeysOf = async (
  db: Kysely<Tables>,
  userId: string,
  limit: number,
): Promise<string[]> => {
  const rows = await db
    .with("chosen", (cte) =>
      cte
        .selectFrom("apiKey")
        .select("id")
        .where("userId", "=", userId)
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

/** Up to `limit` users who ceased to exist before a moment, those of the longest time first. */
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
