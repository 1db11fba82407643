import type { SchemaMigration, SchemaMigrations } from "@latchkey/service-kit/database";
import { type Kysely, sql } from "kysely";

/**
 * Creates the table of the database limiter. `last_request` and `window_ends_at` are ms since 1970, as in the published format of a limit.
 * The index serves the deletion of expired windows.
 */
const rateLimitMigration: SchemaMigration = {
  // Migrations change the schema itself, so no row types apply here.
  up: async (db: Kysely<any>) => {
    await db.schema
      .createTable("rate_limit")
      .addColumn("key", "text", (column) => column.primaryKey())
      .addColumn("count", "integer", (column) => column.notNull())
      .addColumn("last_request", "bigint", (column) =>
        column
          .notNull()
          .defaultTo(sql`floor(extract(epoch from clock_timestamp()) * 1000)::bigint`),
      )
      .addColumn("window_ends_at", "bigint", (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex("rate_limit_by_window_ends_at")
      .on("rate_limit")
      .column("window_ends_at")
      .execute();
  },
};

/** Forward only: a released migration is never changed. */
export const migrations: SchemaMigrations = {
  "0001_rate_limit": rateLimitMigration,
};
