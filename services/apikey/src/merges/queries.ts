import { keySessionPermission } from "@latchkey/contracts";
import { sql, type Transaction } from "kysely";
import { schema, type Tables } from "../db/tables.ts";

/** The keys that a merge moved, and those among them that it disabled. */
interface MovedKeys {
  keyIds: string[];
  disabledIds: string[];
}

/** Everything that a merge moved, as its record has it. */
export interface Moved extends MovedKeys {
  /** The keys of organizations whose creator it changed. */
  createdIds: string[];
  /** An ISO text, because it is stored as JSON. */
  mergedAt: string;
}

/**
 * Makes the undo of a merge give back the successor of a key that the merge moved, even if the key itself is deleted by then. The owner of
 * the key must be locked.
 */
export const addSuccessor = async (
  trx: Transaction<Tables>,
  { id, successorId }: { id: string; successorId: string },
): Promise<void> => {
  await trx
    .updateTable("userMerge")
    .set({
      moved: sql`jsonb_set(moved, '{keyIds}', (moved -> 'keyIds') || to_jsonb(${successorId}::text))`,
    })
    .where(sql<boolean>`moved -> 'keyIds' ? ${id}`)
    .execute();
};

interface KeyMove {
  from: string;
  to: string;
  now: Date;
  /** When the merge or its undo happened. */
  since: Date;
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
  { from, to, now, since, disables = false, only }: KeyMove,
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
    set user_id = ${to}, owner_since = ${since}, updated_at = ${now},
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

/** Makes another user the creator of keys of organizations, of all that one user created or only of some. Returns the ids of these keys. */
export const moveCreated = async (
  trx: Transaction<Tables>,
  {
    from,
    to,
    since,
    ids,
  }: Omit<KeyMove, "disables" | "now" | "only"> & { ids?: readonly string[] },
): Promise<string[]> => {
  const rows = await trx
    .updateTable("apiKey")
    .set({ createdBy: to, ownerSince: since })
    .where("createdBy", "=", from)
    .$if(ids !== undefined, (keys) =>
      keys.where(sql<boolean>`id = any(${[...(ids ?? [])]}::text[])`),
    )
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
};
