import type { SchemaMigration } from "@latchkey/service-kit";
import type { Kysely } from "kysely";

/** Marks addresses that only a mailed link has verified. Earlier verified addresses count as proven. */
export const verifiedByLinkAloneMigration: SchemaMigration = {
  // Migrations change the schema itself, so the row types do not apply here.
  up: async (db: Kysely<any>) => {
    await db.schema
      .alterTable("user")
      .addColumn("verified_by_link_alone", "boolean", (column) => column.notNull().defaultTo(false))
      .execute();
  },
};
