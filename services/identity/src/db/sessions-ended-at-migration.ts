import type { SchemaMigration } from "@latchkey/service-kit";
import type { Kysely } from "kysely";

/** Adds when a user was claimed. Sessions that began before are not valid. Null if the user was never claimed. */
export const sessionsEndedAtMigration: SchemaMigration = {
  // Migrations change the schema itself, so the row types do not apply here.
  up: async (db: Kysely<any>) => {
    await db.schema.alterTable("user").addColumn("sessions_ended_at", "timestamptz").execute();
  },
};
