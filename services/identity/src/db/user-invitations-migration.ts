import type { SchemaMigration } from "@latchkey/service-kit";
import type { Kysely } from "kysely";

/** Adds the time at which an admin invited the user of a password account to choose a password. */
export const userInvitationsMigration: SchemaMigration = {
  // Migrations change the schema itself, so the row types do not apply here.
  up: async (db: Kysely<any>) => {
    await db.schema.alterTable("account").addColumn("invited_at", "timestamptz").execute();
  },
};
