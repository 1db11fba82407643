import type { SchemaMigration } from "@latchkey/service-kit/database";
import type { Kysely } from "kysely";

/** Adds the notices that a second factor will be required. */
export const twoFactorNoticesMigration: SchemaMigration = {
  // Migrations change the schema itself, so the row types do not apply here.
  up: async (db: Kysely<any>) => {
    await db.schema
      .createTable("two_factor_notice")
      .addColumn("user_id", "text", (column) =>
        column.primaryKey().references("user.id").onDelete("cascade"),
      )
      .addColumn("required_from", "timestamptz", (column) => column.notNull())
      .addColumn("notified_at", "timestamptz", (column) => column.notNull())
      .execute();
  },
};
