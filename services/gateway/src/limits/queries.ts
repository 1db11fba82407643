import { sql } from "kysely";
import type { QueryExecutorProvider } from "kysely";

/** A database or a transaction. The statements name the schema, so the search path does not matter. */
export type RateLimitDatabase = QueryExecutorProvider;

/** Postgres's clock in ms, so that replicas agree whatever their own clocks say. */
const nowMs = sql`floor(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/**
 * Counts one request if the window has room, and starts the window if there is none. Returns undefined if counted, otherwise the ms until
 * the window ends. The guard of the update decides under the row's lock. The second branch reads the state from before the statement, so it
 * returns null for a window that a concurrent request has just opened.
 */
export async function consumeRateLimit(
  db: RateLimitDatabase,
  hit: { readonly key: string; readonly windowMs: number; readonly max: number },
): Promise<{ readonly remainingMs: number | null } | undefined> {
  const { rows } = await sql<{ counted: boolean; remainingMs: string | number | null }>`
    with moment as materialized (select ${nowMs} as now),
    counted as (
      insert into gateway.rate_limit as held (key, count, last_request, window_ends_at)
      select ${hit.key}::text, 1, now, now + ${hit.windowMs}::bigint from moment
      on conflict (key) do update set
        count = case when held.window_ends_at <= excluded.last_request then 1 else held.count + 1 end,
        last_request = excluded.last_request,
        window_ends_at = case when held.window_ends_at <= excluded.last_request
          then excluded.window_ends_at else held.window_ends_at end
      where held.window_ends_at <= excluded.last_request or held.count < ${hit.max}::integer
      returning 1
    )
    select exists (select from counted) as counted,
      (select window_ends_at - now from gateway.rate_limit, moment where key = ${hit.key}::text) as "remainingMs"
  `.execute(db);
  const [row] = rows;
  if (row === undefined || row.counted) return undefined;
  return { remainingMs: row.remainingMs === null ? null : Number(row.remainingMs) };
}

/** Deletes at most this many expired windows, skipping locked rows. Returns their number. */
export async function deleteExpiredRateLimits(
  db: RateLimitDatabase,
  countMax: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from gateway.rate_limit where key in (
      select key from gateway.rate_limit where window_ends_at <= ${nowMs}
      order by window_ends_at limit ${countMax}::integer for update skip locked
    )
  `.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** Deletes the windows of these keys. Returns the number of those that had not expired. */
export async function deleteRateLimits(
  db: RateLimitDatabase,
  keys: readonly string[],
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with deleted as (
      delete from gateway.rate_limit where key = any(${keys}::text[]) returning window_ends_at
    )
    select count(*) filter (where window_ends_at > ${nowMs})::integer as count from deleted
  `.execute(db);
  return rows[0]?.count ?? 0;
}
