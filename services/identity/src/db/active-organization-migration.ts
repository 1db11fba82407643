import { inFirstRelease, type SchemaMigration } from "@latchkey/service-kit";
import type { Kysely } from "kysely";

/** The organization that a session works in. */
export const activeOrganizationMigration: SchemaMigration = {
  unsafe: inFirstRelease,
  // Migrations change the shape itself, so no row types hold here.
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
