import type { SchemaMigration } from "@latchkey/service-kit/database";
import type { Kysely } from "kysely";

/** Adds the number of times that all access of other applications to a user has ended. A user without a row has 0. */
export const accessEpochsMigration: SchemaMigration = {
  // Migrations change the schema itself, so the row types do not apply here.
  up: async (db: Kysely<any>) => {
    await db.schema
      .createTable("access_epoch")
      .addColumn("user_id", "text", (column) =>
        column.primaryKey().references("user.id").onDelete("cascade"),
      )
      .addColumn("epoch", "bigint", (column) => column.notNull())
      .execute();
  },
};
