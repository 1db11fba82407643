import type { SchemaMigration } from "@latchkey/service-kit/database";
import type { Kysely } from "kysely";

/** Adds guests, and to a waiting sign-in the guest whose browser began it. */
export const guestsMigration: SchemaMigration = {
  // Migrations change the schema itself, so the row types do not apply here.
  up: async (db: Kysely<any>) => {
    await db.schema
      .alterTable("user")
      .addColumn("is_anonymous", "boolean", (column) => column.notNull().defaultTo(false))
      .execute();
    await db.schema
      .createTable("guest")
      .addColumn("user_id", "text", (column) =>
        column.primaryKey().references("user.id").onDelete("cascade"),
      )
      .addColumn("created_at", "timestamptz", (column) => column.notNull())
      .addColumn("ended_at", "timestamptz")
      .execute();
    await db.schema.createIndex("guest_by_age").on("guest").column("created_at").execute();
  },
};

/** Adds the guest that a sign-in hands over once its second factor has been shown. */
export const challengedGuestsMigration: SchemaMigration = {
  // Migrations change the schema itself, so the row types do not apply here.
  up: async (db: Kysely<any>) => {
    await db.schema.alterTable("sign_in_challenge").addColumn("guest_id", "text").execute();
  },
};
