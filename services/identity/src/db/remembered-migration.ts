import type { SchemaMigration } from "@latchkey/service-kit";
import type { Kysely } from "kysely";

/**
 * Adds whether a session is remembered. Existing sessions count as remembered, and the marker in their browser still
 * counts.
 */
export const rememberedMigration: SchemaMigration = {
  // Migrations change the schema itself, so the row types do not apply here.
  up: async (db: Kysely<any>) => {
    await db.schema
      .alterTable("session")
      .addColumn("remembered", "boolean", (column) => column.notNull().defaultTo(true))
      .execute();
  },
};
