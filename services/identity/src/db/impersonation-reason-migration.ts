import type { SchemaMigration } from "@latchkey/service-kit";
import type { Kysely } from "kysely";

/** Adds the reason that an admin gave for an impersonation. */
export const impersonationReasonMigration: SchemaMigration = {
  // Migrations change the schema itself, so the row types do not apply here.
  up: async (db: Kysely<any>) => {
    await db.schema.alterTable("session").addColumn("impersonation_reason", "text").execute();
  },
};
