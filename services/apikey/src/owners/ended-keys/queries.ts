import { keySessionPermission } from "@latchkey/contracts";
import {
  type Expression,
  expressionBuilder,
  type Kysely,
  sql,
  type SqlBool,
  type Transaction,
} from "kysely";
import { type KeyOwner, type OwnerColumns, ownerColumn } from "../../db/key-row.ts";
import { schema, type Tables } from "../../db/tables.ts";

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
 * Whether a key ended with a moment at which it was a user's, and has since left that user: by a merge, or by the undo of one. Events of that
 * moment may arrive afterwards, and both set the time from which a key counts for its owner.
 */
const isEndedBeforeMove = (
  moved: "createdIds" | "keyIds",
  userId: string,
  { createdUntil, sessionsBefore }: KeysEnd,
) => sql<boolean>`(
  id = any(array(
    select jsonb_array_elements_text(moved -> ${moved}) from ${sql.id(schema, "user_merge")}
    where (merged_user_id = ${userId} and moved ->> 'mergedAt' > ${createdUntil.toISOString()})
      or (moved #>> '{undone,userId}' = ${userId} and moved ->> 'mergedAt' <= ${createdUntil.toISOString()}
        and moved #>> '{undone,at}' > ${createdUntil.toISOString()})
  ))
  and (created_at <= ${createdUntil} or session_since < ${sessionsBefore ?? null}))`;

/** Whether a key belonged to a user at a moment that ended it, as their own or as one that they had created for an organization. */
const isEndedKeyOf = (
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

/** Makes the undo of a merge leave a key disabled that the merge disabled. The owner of the key must be locked. */
export const excludeFromEnabling = async (
  trx: Transaction<Tables>,
  keyId: string,
): Promise<void> => {
  await trx
    .updateTable("userMerge")
    .set({
      moved: sql`jsonb_set(moved, '{disabledIds}', (moved -> 'disabledIds') - ${keyId}::text)`,
    })
    .where(sql<boolean>`moved -> 'disabledIds' ? ${keyId}`)
    .execute();
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

/** Deletes the oldest of the selected keys and returns them. It waits for transactions that change one. */
const deleteOldest = (
  db: Kysely<Tables>,
  isSelected: Expression<SqlBool>,
  limit: number,
): Promise<DeletedKey[]> =>
  db
    .with("chosen", (cte) =>
      cte
        .selectFrom("apiKey")
        .select("id")
        .where(isSelected)
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

/** Deletes some keys of an owner, the oldest first. Fewer than `limit` mean that none is left. */
export const deleteKeysOf = (
  db: Kysely<Tables>,
  { owner, end, isOfSessions = false, limit }: KeysOf,
): Promise<DeletedKey[]> => {
  const { eb, and } = expressionBuilder<Tables, "apiKey">();
  const [column, ownerId] = ownerColumn(owner);
  const isOwned =
    end && "userId" in owner ? isEndedKeyOf("userId", owner.userId, end) : eb(column, "=", ownerId);
  const standsForSession = sql<boolean>`(permissions is null or permissions @> ${JSON.stringify(keySessionPermission)}::jsonb)`;
  return deleteOldest(db, isOfSessions ? and([isOwned, standsForSession]) : isOwned, limit);
};

/** Selects keys of organizations by the user who created them. */
interface CreatedKeys {
  userId: string;
  end: KeysEnd;
  limit: number;
}

/** Deletes some keys of organizations that a user created, the oldest first. Fewer than `limit` mean that none is left. */
export const deleteCreatedKeys = (
  db: Kysely<Tables>,
  { userId, end, limit }: CreatedKeys,
): Promise<DeletedKey[]> => deleteOldest(db, isEndedKeyOf("createdBy", userId, end), limit);
