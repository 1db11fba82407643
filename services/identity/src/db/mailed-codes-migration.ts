import type { SchemaMigration } from "@latchkey/service-kit/database";
import type { Kysely } from "kysely";

/** Adds codes by mail, the count of wrong ones, and accounts that an admin or an import gave. */
export const mailedCodesMigration: SchemaMigration = {
  // Migrations change the schema itself, so the row types do not apply here.
  up: async (db: Kysely<any>) => {
    await db.schema
      .createTable("mailed_code")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("purpose", "text", (column) => column.notNull())
      .addColumn("subject", "text", (column) => column.notNull())
      .addColumn("browser", "text", (column) => column.notNull())
      .addColumn("code", "text", (column) => column.notNull())
      .addColumn("own_tries", "integer", (column) => column.notNull().defaultTo(0))
      .addColumn("foreign_tries", "integer", (column) => column.notNull().defaultTo(0))
      .addColumn("is_mailed", "boolean", (column) => column.notNull())
      .addColumn("sealed", "text", (column) => column.notNull())
      .addColumn("expires_at", "timestamptz", (column) => column.notNull())
      .addColumn("created_at", "timestamptz", (column) => column.notNull())
      .addUniqueConstraint("mailed_code_of_browser", ["subject", "browser"])
      .execute();
    await db.schema
      .createIndex("mailed_code_by_expires_at")
      .on("mailed_code")
      .column("expires_at")
      .execute();
    await db.schema
      .createTable("mailed_code_guess")
      .addColumn("key", "text", (column) => column.primaryKey())
      .addColumn("count", "integer", (column) => column.notNull())
      .addColumn("window_start", "timestamptz", (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex("mailed_code_guess_by_window_start")
      .on("mailed_code_guess")
      .column("window_start")
      .execute();
    await db.schema
      .alterTable("account")
      .addColumn("provisioned", "boolean", (column) => column.notNull().defaultTo(false))
      .execute();
  },
};
