import type { SchemaMigration } from "@latchkey/service-kit/database";
import type { Kysely } from "kysely";

// Two migrations, because one would lock the tables of users and sessions together.

/** Adds whether a user's second factor is on. */
export const twoFactorFlagMigration: SchemaMigration = {
  // Migrations change the schema itself, so the row types do not apply here.
  up: async (db: Kysely<any>) => {
    await db.schema
      .alterTable("user")
      .addColumn("two_factor_enabled", "boolean", (column) => column.notNull().defaultTo(false))
      .execute();
  },
};

/** Adds how the user of a session was authenticated. */
export const authenticationMigration: SchemaMigration = {
  up: async (db: Kysely<any>) => {
    await db.schema
      .alterTable("session")
      .addColumn("authenticated_at", "timestamptz")
      .addColumn("second_factor_at", "timestamptz")
      .addColumn("methods", "text", (column) => column.notNull().defaultTo(""))
      .execute();
  },
};
