import { inFirstRelease, type SchemaMigration } from "@latchkey/service-kit";
import type { Kysely } from "kysely";

/** Adds the organization in which a session works. */
export const activeOrganizationMigration: SchemaMigration = {
  unsafe: inFirstRelease,
  // Migrations change the schema itself, so the row types do not apply here.
  up: async (db: Kysely<any>) => {
    await db.schema.alterTable("session").addColumn("active_organization_id", "text").execute();
    await db.schema
      .createIndex("session_by_active_organization")
      .on("session")
      .columns(["active_organization_id", "user_id"])
      .where("active_organization_id", "is not", null)
      .execute();
  },
};
