import { type Kysely, type RawBuilder, sql } from "kysely";
import { schema, tables } from "../../db/schema.ts";
import type { Tables } from "../../db/tables.ts";

type Db = Kysely<Tables>;

const deleteSelected = async (
  db: Db,
  table: "delivery" | "event" | "lane",
  selected: RawBuilder<unknown>,
): Promise<number> => {
  const { numAffectedRows } = await sql`
    delete from ${sql.id(schema, table)} where ctid = any(array(${selected}))`.execute(db);
  return Number(numAffectedRows ?? 0);
};

/** Deletes up to `limit` deliveries from before a time, skips locked ones, and returns the number. */
export const deleteOldDeliveries = (db: Db, before: Date, limit: number): Promise<number> =>
  deleteSelected(
    db,
    "delivery",
    sql`
      select ctid from ${tables.delivery} where created_at < ${before}
      order by created_at limit ${limit} for update skip locked`,
  );

/** Deletes up to `limit` events from before a time, and returns the number. */
export const deleteOldEvents = (db: Db, before: Date, limit: number): Promise<number> =>
  deleteSelected(
    db,
    "event",
    sql`
      select ctid from ${tables.event} where recorded_at < ${before}
      order by recorded_at limit ${limit} for update skip locked`,
  );

/** Deletes up to `limit` rows of deleted endpoints, skips locked ones, and returns the number. */
export const deleteOrphans = (db: Db, table: "delivery" | "lane", limit: number): Promise<number> =>
  deleteSelected(
    db,
    table,
    sql`
      select ctid from ${sql.id(schema, table)} as orphan
      where not exists (select from ${tables.endpoint} where endpoint.id = orphan.endpoint_id)
      limit ${limit} for update skip locked`,
  );

/** Deletes the figures from before a time, and those of deleted endpoints. */
export const deleteOldHours = async (db: Db, before: Date): Promise<void> => {
  await sql`
    delete from ${tables.endpointHour} where hour < ${before}
      or not exists (select from ${tables.endpoint} where endpoint.id = endpoint_hour.endpoint_id)`.execute(
    db,
  );
};
