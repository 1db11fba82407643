import { keySessionPermission } from "@latchkey/contracts";
import {
  type Expression,
  expressionBuilder,
  type Kysely,
  sql,
  type SqlBool,
  type Transaction,
} from "kysely";
import { type KeyOwner, type OwnerColumns, ownerColumn } from "../db/key-row.ts";
import { type OwnerTable, schema, type Tables } from "../db/tables.ts";
import { excludeFromEnabling } from "../merges/queries.ts";

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

/** A deleted key and its last owner. */
export type DeletedKey = OwnerColumns & { id: string };

/** Whether a key is from before a moment, or of a session that ended with it. One that a merge gave to its owner counts from then on. */
const isEndedKey = ({ createdUntil, sessionsBefore }: KeysEnd) =>
  sessionsBefore === undefined
    ? sql<boolean>`coalesce(owner_since, created_at) <= ${createdUntil}`
    : sql<boolean>`(coalesce(owner_since, created_at) <= ${createdUntil}
        or owner_since is null and session_since < ${sessionsBefore})`;

/** Returns the keys that end with a moment which ends all earlier sessions, those of that moment included. */
export const endsAllBefore = (moment: Date): KeysEnd => ({
  createdUntil: moment,
  sessionsBefore: new Date(moment.getTime() + 1),
});

/**
 * Whether a key ended with a moment, and a merge has since moved it from a user. Events of that moment may arrive after the merge, and after
 * its undo, which both set the time from which a key counts for its owner.
 */
const isEndedBeforeMove = (
  moved: "createdIds" | "keyIds",
  userId: string,
  { createdUntil, sessionsBefore }: KeysEnd,
) => sql<boolean>`(
  id = any(array(
    select jsonb_array_elements_text(moved -> ${moved}) from ${sql.id(schema, "user_merge")}
    where merged_user_id = ${userId} and moved ->> 'mergedAt' > ${createdUntil.toISOString()}
  ))
  and (created_at <= ${createdUntil} or session_since < ${sessionsBefore ?? null}))`;

/** Whether a key belonged to a user at a moment that ended it, as their own or as one that they had created for an organization. */
export const isEndedKeyOf = (
  column: "createdBy" | "userId",
  userId: string,
  end: KeysEnd,
): Expression<SqlBool> => {
  const { eb, and, or } = expressionBuilder<Tables, "apiKey">();
  const moved = column === "userId" ? "keyIds" : "createdIds";
  return or([
    and([eb(column, "=", userId), isEndedKey(end)]),
    isEndedBeforeMove(moved, userId, end),
  ]);
};

/**
 * Disables the keys that a user had, or had created for organizations, at a time, as an admin does. The undo of a merge that moved some of them
 * enables none of these. Returns the ids of those that were not disabled by an admin. The keys of the user must be locked.
 */
export const disableKeysOf = async (
  trx: Transaction<Tables>,
  { userId, end, now }: { userId: string; end: KeysEnd; now: Date },
): Promise<string[]> => {
  const rows = await trx
    .updateTable("apiKey")
    .set({ disabledByAdmin: true, updatedAt: now })
    .where(({ or }) =>
      or([isEndedKeyOf("userId", userId, end), isEndedKeyOf("createdBy", userId, end)]),
    )
    .where("disabledByAdmin", "=", false)
    .returning("id")
    .execute();
  const { rows: moved } = await sql<{ id: string }>`
    select id from ${sql.id(schema, "api_key")} where ${isEndedBeforeMove("keyIds", userId, end)}`.execute(
    trx,
  );
  for (const { id } of moved) await excludeFromEnabling(trx, id);
  return rows.map(({ id }) => id);
};

/** Selects keys of an owner, the oldest first. */
export interface KeysOf {
  owner: KeyOwner;
  /** Selects the keys of a user that ended with a moment, also those that a merge has moved since. Undefined selects all. */
  end?: KeysEnd;
  /** Selects only keys that can stand for a session. */
  isOfSessions?: boolean;
  limit: number;
}

/**
 * Deletes some keys of an owner and returns them. It waits for transactions that change one. Fewer than `limit` keys mean that none is left.
 */
export const deleteKeysOf = (
  db: Kysely<Tables>,
  { owner, end, isOfSessions = false, limit }: KeysOf,
): Promise<DeletedKey[]> => {
  const [column, ownerId] = ownerColumn(owner);
  return db
    .with("chosen", (cte) =>
      cte
        .selectFrom("apiKey")
        .select("id")
        .where((eb) =>
          end && "userId" in owner
            ? isEndedKeyOf("userId", owner.userId, end)
            : eb(column, "=", ownerId),
        )
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
    .returning(["apiKey.id", "apiKey.userId", "apiKey.organizationId"])
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
