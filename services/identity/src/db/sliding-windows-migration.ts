import type { SchemaMigration } from "@latchkey/service-kit/database";
import { type Kysely, sql } from "kysely";

/** Adds the recent uses of each limited mailbox or user. Counts are exact during their window and irrelevant after it. */
export const slidingWindowsMigration: SchemaMigration = {
  // Migrations change the schema itself, so the row types do not apply here.
  up: async (db: Kysely<any>) => {
    await db.schema
      .createTable("sliding_window")
      .addColumn("key", "text", (column) => column.primaryKey())
      .addColumn("used_at", sql`timestamptz[]`, (column) => column.notNull())
      .addColumn("expires_at", "timestamptz", (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex("sliding_window_by_expires_at")
      .on("sliding_window")
      .column("expires_at")
      .execute();
  },
};
