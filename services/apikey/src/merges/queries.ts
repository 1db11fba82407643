import { keySessionPermission } from "@latchkey/contracts";
import { deleteRowsBefore } from "@latchkey/service-kit/database";
import { type Kysely, sql, type Transaction } from "kysely";
import { schema, type Tables } from "../db/tables.ts";

/** The keys that a merge moved, and those among them that it disabled. */
export interface MovedKeys {
  keyIds: string[];
  disabledIds: string[];
}

interface RecordedMerge {
  mergeId: string;
  recordedAt: Date;
}

const nothing = { keyIds: [], disabledIds: [] };

/** Records a merge. Returns false if it, or its undo, was recorded before. */
export const insertMerge = async (
  trx: Transaction<Tables>,
  merge: RecordedMerge,
): Promise<boolean> => {
  const inserted = await trx
    .insertInto("userMerge")
    .values({ ...merge, ...nothing, undone: false })
    .onConflict((conflict) => conflict.doNothing())
    .returning("mergeId")
    .executeTakeFirst();
  return inserted !== undefined;
};

/** Records what a merge moved. */
export const updateMoved = async (
  trx: Transaction<Tables>,
  { mergeId, ...moved }: MovedKeys & { mergeId: string },
): Promise<void> => {
  await trx.updateTable("userMerge").set(moved).where("mergeId", "=", mergeId).execute();
};

/** Records the undo of a merge, and returns what it moved. Returns undefined the second time. */
export const endMerge = (
  trx: Transaction<Tables>,
  merge: RecordedMerge,
): Promise<MovedKeys | undefined> =>
  trx
    .insertInto("userMerge")
    .values({ ...merge, ...nothing, undone: true })
    .onConflict((conflict) =>
      conflict
        .column("mergeId")
        .doUpdateSet({ undone: true })
        .where("userMerge.undone", "=", false),
    )
    .returning(["keyIds", "disabledIds"])
    .executeTakeFirst();

/** Deletes up to `limit` records from before a moment. Returns how many it deleted. */
export const deleteMergesBefore = (
  db: Kysely<Tables>,
  before: Date,
  limit: number,
): Promise<number> =>
  deleteRowsBefore(db, "userMerge", { key: ["mergeId"], column: "recordedAt", before, limit });

interface KeyMove {
  from: string;
  to: string;
  now: Date;
  /** Disables the keys that can stand for a session. */
  disables?: boolean;
  /** Moves only these keys, and enables those that a merge disabled. Default: all. */
  only?: MovedKeys;
}

/**
 * Gives keys to another user, with the counts of their uses. The owner is written once by everything else. Returns the moved keys, and those
 * that this call disabled.
 */
export const moveKeys = async (
  trx: Transaction<Tables>,
  { from, to, now, disables = false, only }: KeyMove,
): Promise<MovedKeys> => {
  const table = (name: string) => sql.id(schema, name);
  const ofSessions = sql`(permissions is null or permissions @> ${JSON.stringify(keySessionPermission)}::jsonb)`;
  const { rows } = await sql<{ id: string; isDisabled: boolean }>`
    with chosen as (
      select id, ${disables}::boolean and not disabled_by_admin and ${ofSessions} as is_disabled
      from ${table("api_key")}
      where user_id = ${from} ${only ? sql`and id = any(${only.keyIds}::text[])` : sql``}
      for update
    ), used as (
      update ${table("key_usage")} as usage set user_id = ${to}
      from chosen where usage.key_id = chosen.id
    )
    update ${table("api_key")} as key
    set user_id = ${to}, updated_at = ${now},
      disabled_by_admin = case
        when chosen.is_disabled then true
        when key.id = any(${only?.disabledIds ?? []}::text[]) then false
        else key.disabled_by_admin end
    from chosen where chosen.id = key.id
    returning key.id, chosen.is_disabled as "isDisabled"`.execute(trx);
  return {
    keyIds: rows.map(({ id }) => id),
    disabledIds: rows.filter(({ isDisabled }) => isDisabled).map(({ id }) => id),
  };
};
