import type { SchemaMigration } from "@latchkey/service-kit";
import type { Kysely } from "kysely";

/** Adds the sign-ins by day and method. */
export const signInMethodsMigration: SchemaMigration = {
  // Migrations change the schema itself, so the row types do not apply here.
  up: async (db: Kysely<any>) => {
    await db.schema
      .createTable("daily_method_count")
      .addColumn("day", "date", (column) => column.notNull())
      .addColumn("method", "text", (column) => column.notNull())
      .addColumn("sign_ins", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("daily_method_count_primary_key", ["day", "method"])
      .execute();
  },
};
