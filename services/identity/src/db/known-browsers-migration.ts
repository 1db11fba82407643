import type { SchemaMigration } from "@latchkey/service-kit/database";
import type { Kysely } from "kysely";

/** Adds the browsers in which users have signed in. */
export const knownBrowsersMigration: SchemaMigration = {
  // Migrations change the schema itself, so the row types do not apply here.
  up: async (db: Kysely<any>) => {
    await db.schema
      .createTable("known_browser")
      .addColumn("user_id", "text", (column) =>
        column.notNull().references("user.id").onDelete("cascade"),
      )
      .addColumn("browser_hash", "bytea", (column) => column.notNull())
      .addColumn("created_at", "timestamptz", (column) => column.notNull())
      .addColumn("last_seen_at", "timestamptz", (column) => column.notNull())
      .addPrimaryKeyConstraint("known_browser_primary_key", ["user_id", "browser_hash"])
      .execute();
    await db.schema
      .createIndex("known_browser_by_last_seen_at")
      .on("known_browser")
      .column("last_seen_at")
      .execute();
  },
};
