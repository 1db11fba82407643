import { inFirstRelease, type SchemaMigration } from "@latchkey/service-kit";
import type { Kysely } from "kysely";

/** What providers gave for an account, who is refreshing it, and what a sign-in at one is remembered by. */
export const providerTokensMigration: SchemaMigration = {
  unsafe: inFirstRelease,
  // Migrations change the shape itself, so no row types hold here.
  up: async (db: Kysely<any>) => {
    await db.schema
      .alterTable("account")
      .addColumn("access_token", "text")
      .addColumn("refresh_token", "text")
      .addColumn("id_token", "text")
      .addColumn("access_token_expires_at", "timestamptz")
      .addColumn("refresh_token_expires_at", "timestamptz")
      .addColumn("scope", "text")
      .execute();
    // Longer than what is indexed may be.
    await db.schema.alterTable("verification").addColumn("sealed", "text").execute();
    await db.schema
      .createTable("token_refresh")
      .addColumn("account_id", "text", (column) =>
        column.primaryKey().references("account.id").onDelete("cascade"),
      )
      .addColumn("holder", "text", (column) => column.notNull())
      .addColumn("expires_at", "timestamptz", (column) => column.notNull())
      .execute();
  },
};
