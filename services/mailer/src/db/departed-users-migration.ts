import { buildIndex, type SchemaMigration } from "@latchkey/service-kit";
import type { Kysely } from "kysely";
import { schema } from "./schema.ts";

/** Adds a mail's user, the end of its link by the database's clock, and recently deleted users. */
export const departedUsersMigration: SchemaMigration = {
  // Migrations change the schema, so no row types apply.
  up: async (db: Kysely<any>) => {
    await db.schema
      .alterTable("delivery")
      .addColumn("user_id", "text")
      .addColumn("send_before", "timestamptz")
      .execute();
    await db.schema
      .createTable("departed_user")
      .addColumn("user_id", "text", (column) => column.primaryKey())
      .addColumn("address_mac", "text")
      .addColumn("departed_at", "timestamptz", (column) => column.notNull())
      .execute();
    for (const column of ["address_mac", "departed_at"])
      await db.schema
        .createIndex(`departed_user_by_${column}`)
        .on("departed_user")
        .column(column)
        .execute();
  },
};

/** Adds the index of mails by user. */
export const deliveryUsersMigration: SchemaMigration = {
  isOutsideTransaction: true,
  up: (db) =>
    buildIndex(db, {
      schema,
      name: "delivery_by_user_id",
      table: "delivery",
      definition: "(user_id) where user_id is not null",
    }),
};
