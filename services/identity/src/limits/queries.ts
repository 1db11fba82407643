import { deleteRowsBefore } from "@latchkey/service-kit/database";
import { type Kysely, sql } from "kysely";
import { schema } from "../db/schema.ts";
import type { Tables } from "../db/tables.ts";

/** At most `max` uses in any `window` seconds. */
export interface WindowRule {
  window: number;
  max: number;
}

const table = sql.id(schema, "sliding_window");

/** Postgres's clock, so that replicas agree whatever their own clocks say. */
const now = sql`clock_timestamp()`;

const seconds = (count: number) => sql`make_interval(secs => ${count})`;

/**
 * Records a use of a key. Returns the number of uses in its window, or undefined if the window was full. The guard runs
 * under the lock of the row, so concurrent callers never exceed `max`.
 */
export const insertUse = async (
  db: Kysely<Tables>,
  key: string,
  { window, max }: WindowRule,
): Promise<number | undefined> => {
  const recent = sql`select use from unnest(held.used_at) as use where use > ${now} - ${seconds(window)}`;
  const { rows } = await sql<{ useCount: number }>`
    insert into ${table} as held (key, used_at, expires_at)
    values (${key}, array[${now}], ${now} + ${seconds(window)})
    on conflict (key) do update set
      used_at = array(${recent} order by use) || ${now},
      expires_at = ${now} + ${seconds(window)}
    where (select count(*) from (${recent}) as recent) < ${max}
    returning cardinality(held.used_at) as "useCount"`.execute(db);
  return rows[0]?.useCount;
};

/** Takes the last use of a key back, in the transaction that has recorded it and holds its row. */
export const deleteLastUse = async (trx: Kysely<Tables>, key: string): Promise<void> => {
  await sql`update ${table} set used_at = trim_array(used_at, 1) where key = ${key}`.execute(trx);
};

/** Returns the whole seconds until a full window admits the next use, at least 1. */
export const readWaitSeconds = async (
  db: Kysely<Tables>,
  key: string,
  { window, max }: WindowRule,
): Promise<number> => {
  const { rows } = await sql<{ waitSeconds: number }>`
    select ceil(extract(epoch from
      used_at[cardinality(used_at) - ${max}::integer + 1] + ${seconds(window)} - ${now}
    ))::integer as "waitSeconds"
    from ${table} where key = ${key}`.execute(db);
  return Math.max(1, rows[0]?.waitSeconds ?? 1);
};

/** Returns when a full window admits the next use. Undefined if it admits one now. */
export const readFullUntil = async (
  db: Kysely<Tables>,
  key: string,
  { window, max }: WindowRule,
): Promise<Date | undefined> => {
  const { rows } = await sql<{ until: Date }>`
    select used_at[cardinality(used_at) - ${max}::integer + 1] + ${seconds(window)} as until
    from ${table} where key = ${key} and cardinality(used_at) >= ${max}::integer
    and used_at[cardinality(used_at) - ${max}::integer + 1] + ${seconds(window)} > ${now}`.execute(
    db,
  );
  return rows[0]?.until;
};

export const deleteUses = async (db: Kysely<Tables>, key: string): Promise<void> => {
  await db.deleteFrom("slidingWindow").where("key", "=", key).execute();
};

/** Deletes up to `limit` windows that have passed. Returns the number. */
export const deletePassedWindows = (db: Kysely<Tables>, limit: number): Promise<number> =>
  deleteRowsBefore(db, "slidingWindow", {
    key: ["key"],
    column: "expiresAt",
    before: sql<Date>`${now}`,
    limit,
  });
