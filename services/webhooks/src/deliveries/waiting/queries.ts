import { type Kysely, sql } from "kysely";
import { tables } from "../../db/schema.ts";
import type { Tables } from "../../db/tables.ts";

/** Counting stops here, so that a scrape costs little. */
export const countedMax = 100_000;

/** Returns the number of pending deliveries, up to `countedMax`. */
export const countPending = async (db: Kysely<Tables>): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from ${tables.delivery} where state = 'pending' limit ${countedMax}
    ) as pending`.execute(db);
  return rows[0]?.count ?? 0;
};

/** Returns the age of the oldest due delivery of the active endpoints that do not fail. Reads one row of an index for each. */
export const findOldestDue = async (db: Kysely<Tables>): Promise<number> => {
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(extract(epoch from now() - min(lane.due_at)), 0)::float8 as seconds
    from ${tables.endpoint} cross join lateral (
      select due_at from ${tables.lane} where endpoint_id = endpoint.id order by due_at limit 1
    ) as lane
    where endpoint.state = 'active' and endpoint.failing_since is null`.execute(db);
  return Math.max(0, rows[0]?.seconds ?? 0);
};

/** Returns the number of endpoints in each state. */
export const countEndpoints = (db: Kysely<Tables>) =>
  db
    .selectFrom("endpoint")
    .select(["state", (eb) => eb.fn.countAll<number>().as("count")])
    .groupBy("state")
    .execute();
