import { keySessionPermission } from "@latchkey/contracts";
import { sql, type Transaction } from "kysely";
import { schema, type Tables } from "../db/tables.ts";
import type { DeletedKey } from "../owners/ended-keys/queries.ts";

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
  /** The user who stays, and when the merge was undone. Events between these times reach the keys that went back. */
  undone?: { userId: string; at: string };
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
  /** When the merge happened. Acts on one of both users since then reach the keys, also if their events arrived first. */
  mergedAt: Date;
  /** Whose keys: their own, or those that they created for organizations. */
  as: "createdBy" | "userId";
  /** Whether keys can stand for a session. */
  haveSessions: boolean;
  /** Gives only these keys back, and enables those that a merge disabled. Undefined for a merge, which moves all and disables those that can stand for a session. */
  only: { keyIds: readonly string[]; disabledIds: readonly string[] } | undefined;
}

interface KeyMoveResult extends MovedKeys {
  /** The keys that an act disabled, which the undo of the merge does not enable. */
  barred: string[];
  /** The keys that an act ended. They are deleted. */
  ended: DeletedKey[];
}

/**
 * Gives keys to another user, with the counts of their uses. The owner is written once by everything else. The same statement decides about
 * each key whether an act since the merge ends or disables it:
 *
 * - A claim of a user ends it, and so does a new password or the deletion of the user who gives it back, as far as it was that user's own.
 * - Securing a user disables it, and so does a ban of the user who gives it back, as far as it was that user's own.
 */
export const moveKeys = async (
  trx: Transaction<Tables>,
  { from, to, now, since, mergedAt, as, haveSessions, only }: KeyMove,
): Promise<KeyMoveResult> => {
  const table = (name: string) => sql.id(schema, name);
  const column = sql.ref(as === "userId" ? "user_id" : "created_by");
  const isOwn = sql`${as === "userId"}::boolean`;
  const ofSessions = sql`${haveSessions}::boolean and (permissions is null or permissions @> ${JSON.stringify(keySessionPermission)}::jsonb)`;
  const isGivenBackBy = sql`${only !== undefined}::boolean and user_id = ${from}`;
  const { rows } = await sql<{ outcome: "barred" | "disabled" | "ended" | "moved" } & DeletedKey>`
    with acts as (
      select coalesce(bool_or(claimed_at >= ${mergedAt}), false) as claim,
        coalesce(bool_or(key_sessions_ended_at >= ${mergedAt}), false) as new_password,
        coalesce(bool_or(secured_at >= ${mergedAt}), false) as securing,
        coalesce(bool_or(${isGivenBackBy} and departed_at is not null), false) as deletion,
        coalesce(bool_or(${isGivenBackBy} and banned and (banned_until is null or banned_until > ${now})), false) as ban
      from ${table("owner")} where user_id in (${from}, ${to})
    ), judged as (
      select key.id, key.disabled_by_admin,
        ${isOwn} and ${only === undefined}::boolean and ${ofSessions} as signs_in,
        acts.claim or ${isOwn} and (acts.deletion or acts.new_password and ${ofSessions}) as has_ended,
        acts.securing or ${isOwn} and acts.ban as is_barred
      from ${table("api_key")} as key, acts
      where key.${column} = ${from} ${only ? sql`and key.id = any(${[...only.keyIds]}::text[])` : sql``}
      for update of key
    ), ended as (
      delete from ${table("api_key")} as key using judged
      where judged.id = key.id and has_ended
      returning key.id, key.user_id, key.organization_id
    ), used as (
      update ${table("key_usage")} as usage set user_id = ${to}
      from judged where ${isOwn} and usage.key_id = judged.id and not has_ended
    ), moved as (
      update ${table("api_key")} as key
      set ${column} = ${to}, owner_since = ${since}, updated_at = ${now},
        disabled_by_admin = case
          when is_barred or signs_in then true
          when key.id = any(${[...(only?.disabledIds ?? [])]}::text[]) then false
          else key.disabled_by_admin end
      from judged where judged.id = key.id and not has_ended
      returning key.id, key.user_id, key.organization_id, case
        when judged.disabled_by_admin then 'moved'
        when is_barred then 'barred'
        when signs_in then 'disabled'
        else 'moved' end as outcome
    )
    select id, user_id as "userId", organization_id as "organizationId", outcome from moved
    union all
    select id, user_id, organization_id, 'ended' from ended`.execute(trx);
  const idsOf = (outcome: string) =>
    rows.filter((row) => row.outcome === outcome).map(({ id }) => id);
  return {
    keyIds: rows.filter(({ outcome }) => outcome !== "ended").map(({ id }) => id),
    disabledIds: idsOf("disabled"),
    barred: idsOf("barred"),
    ended: rows.flatMap(({ outcome, ...key }) => (outcome === "ended" ? [key] : [])),
  };
};
