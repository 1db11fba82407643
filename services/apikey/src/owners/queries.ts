import { type Kysely, sql, type Transaction } from "kysely";
import type { KeyOwner } from "../db/key-row.ts";
import type { OwnerTable, Tables } from "../db/tables.ts";

/** The state of a ban, as of a revision of the user. */
interface OwnerBan {
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
  | ({ hasDeparted: boolean; isBanned: boolean } & Pick<
      OwnerTable,
      "claimedAt" | "securedAt" | "sessionsEndedAt"
    >)
  | undefined
> =>
  db
    .selectFrom("owner")
    .select([
      sql<boolean>`departed_at is not null`.as("hasDeparted"),
      sql<boolean>`banned and (banned_until is null or banned_until > ${now})`.as("isBanned"),
      "claimedAt",
      "securedAt",
      "sessionsEndedAt",
    ])
    .where("userId", "=", userId)
    .executeTakeFirst();

/** The row of a user without other events. */
const unheardOf = {
  revision: 0,
  banned: false,
  bannedUntil: null,
  departedAt: null,
  claimedAt: null,
  securedAt: null,
  sessionsEndedAt: null,
  keySessionsEndedAt: null,
} as const;

/** Records a ban, unless a newer revision is stored. */
export const upsertBan = async (db: Kysely<Tables>, ban: OwnerBan): Promise<void> => {
  await db
    .insertInto("owner")
    .values({ ...unheardOf, ...ban })
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

/** Records when a new password ended keys that can stand for a session, and which sessions, if any. Of several times the latest counts. */
export const upsertKeySessionsEnded = async (
  db: Kysely<Tables>,
  userId: string,
  ends: Pick<OwnerTable, "keySessionsEndedAt" | "sessionsEndedAt">,
): Promise<void> => {
  await db
    .insertInto("owner")
    .values({ ...unheardOf, userId, ...ends })
    .onConflict((conflict) =>
      conflict.column("userId").doUpdateSet({
        // Postgres leaves out what is null.
        sessionsEndedAt: sql`greatest(owner.sessions_ended_at, excluded.sessions_ended_at)`,
        keySessionsEndedAt: sql`greatest(owner.key_sessions_ended_at, excluded.key_sessions_ended_at)`,
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
  const secured = await db
    .selectFrom("owner")
    .select("userId")
    .where("userId", "=", userId)
    .where("securedAt", ">=", securedAt)
    .executeTakeFirst();
  return secured !== undefined;
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

/** Deletes the counts of mails about new keys of a user. */
export const deleteNewKeyMailsOf = async (db: Kysely<Tables>, userId: string): Promise<void> => {
  await db.deleteFrom("newKeyMail").where("userId", "=", userId).execute();
};
