import { inFirstRelease, type SchemaMigration } from "@latchkey/service-kit/database";
import type { Kysely } from "kysely";

/** Adds the tokens of providers, the leases of refreshes, and the sealed data of begun sign-ins. */
export const providerTokensMigration: SchemaMigration = {
  unsafe: inFirstRelease,
  // Migrations change the schema itself, so the row types do not apply here.
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
    // A separate column, because the data may be longer than an index entry.
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
