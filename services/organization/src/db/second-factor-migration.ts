import type { SchemaMigration } from "@latchkey/service-kit";
import type { Kysely } from "kysely";

/** Adds the time from which an organization requires a second factor of its members. */
export const secondFactorMigration: SchemaMigration = {
  // Migrations change the tables themselves, so the current row types do not apply.
  up: async (db: Kysely<any>) => {
    await db.schema
      .alterTable("organization")
      .addColumn("second_factor_from", "timestamptz")
      .execute();
  },
};
