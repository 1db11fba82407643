import type { SchemaMigration } from "@latchkey/service-kit";
import type { Kysely } from "kysely";

/** Since when no session of a user is good that had begun before; null where they were never taken from anybody. */
export const sessionsEndedAtMigration: SchemaMigration = {
  // Migrations change the shape itself, so no row types hold here.
  up: async (db: Kysely<any>) => {
    await db.schema.alterTable("user").addColumn("sessions_ended_at", "timestamptz").execute();
  },
};
