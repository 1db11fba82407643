import { keySessionPermission } from "@latchkey/contracts";
import { type Kysely, sql, type Transaction } from "kysely";
import { type KeyOwner, ownerColumn } from "../db/key-row.ts";
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

/** Records that sessions of a user which began before a time have ended. Of several times the latest counts. */
export const upsertSessionsEnded = async (
  db: Kysely<Tables>,
  userId: string,
  sessionsEndedAt: Date,
): Promise<void> => {
  await db
    .insertInto("owner")
    .values({ ...unheardOf, userId, sessionsEndedAt })
    .onConflict((conflict) =>
      conflict.column("userId").doUpdateSet({
        sessionsEndedAt: sql`greatest(owner.sessions_ended_at, excluded.sessions_ended_at)`,
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

/** Disables the keys that a user had, or had created for organizations, at a time, as an admin does. Returns the ids of those that were not disabled by an admin. */
export const disableKeysOf = async (
  db: Kysely<Tables>,
  { userId, end, now }: { userId: string; end: KeysEnd; now: Date },
): Promise<string[]> => {
  const rows = await db
    .updateTable("apiKey")
    .set({ disabledByAdmin: true, updatedAt: now })
    .where(({ eb, or }) => or([eb("userId", "=", userId), eb("createdBy", "=", userId)]))
    .where(isEndedKey(end))
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

/** A moment that ended sessions and keys. */
export interface KeysEnd {
  /** The latest creation time of the keys. */
  createdUntil: Date;
  /**
   * Keys of sessions that began earlier are selected, too. Such a session could still create keys for a moment, until the events of its end
   * had arrived.
   */
  sessionsBefore?: Date | undefined;
}

/** Whether a key is from before a moment, or of a session that ended with it. One that a merge gave to its owner counts from then on. */
export const isEndedKey = ({ createdUntil, sessionsBefore }: KeysEnd) =>
  sessionsBefore === undefined
    ? sql<boolean>`coalesce(owner_since, created_at) <= ${createdUntil}`
    : sql<boolean>`(coalesce(owner_since, created_at) <= ${createdUntil}
        or owner_since is null and session_since < ${sessionsBefore})`;

/** Returns the keys that end with a moment which ends all earlier sessions, those of that moment included. */
export const endsAllBefore = (moment: Date): KeysEnd => ({
  createdUntil: moment,
  sessionsBefore: new Date(moment.getTime() + 1),
});

/** Selects keys of an owner, the oldest first. */
export interface KeysOf {
  owner: KeyOwner;
  /** Selects the keys that ended with a moment. Undefined selects all. */
  end?: KeysEnd;
  /** Selects only keys that can stand for a session. */
  isOfSessions?: boolean;
  limit: number;
}

/**
 * Deletes some keys of an owner and returns their ids. It waits for transactions that change one. Fewer than `limit` ids
 * mean that none is left.
 */
export const deleteKeysOf = async (
  db: Kysely<Tables>,
  { owner, end, isOfSessions = false, limit }: KeysOf,
): Promise<string[]> => {
  const [column, ownerId] = ownerColumn(owner);
  const rows = await db
    .with("chosen", (cte) =>
      cte
        .selectFrom("apiKey")
        .select("id")
        .where(column, "=", ownerId)
        .$if(end !== undefined, (keys) => keys.where(isEndedKey(end as KeysEnd)))
        .$if(isOfSessions, (keys) =>
          keys.where(
            sql<boolean>`(permissions is null or permissions @> ${JSON.stringify(keySessionPermission)}::jsonb)`,
          ),
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

/** Deletes the counts of mails about new keys of a user. */
export const deleteNewKeyMailsOf = async (db: Kysely<Tables>, userId: string): Promise<void> => {
  await db.deleteFrom("newKeyMail").where("userId", "=", userId).execute();
};
