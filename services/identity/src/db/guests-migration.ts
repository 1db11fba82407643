import { buildIndex, type SchemaMigration } from "@latchkey/service-kit/database";
import type { Kysely } from "kysely";
import { schema } from "./schema.ts";

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

/**
 * Adds the indexes that list and count users without reading the guests among them, or guests without the users. They are partial, because
 * the planner prefers the index of all users to one that begins with the mark. All guests have one name, and so are next to each other.
 */
export const listedGuestsMigration: SchemaMigration = {
  isOutsideTransaction: true,
  up: async (db) => {
    for (const key of ["created_at", "name_key"])
      for (const [kind, condition] of [
        ["guests", "is_anonymous"],
        ["known", "not is_anonymous"],
      ] as const)
        await buildIndex(db, {
          schema,
          name: `user_${kind}_by_${key}`,
          table: "user",
          definition: `(${key}, id) where ${condition}`,
        });
    const definition = "(ended_at) where ended_at is not null";
    await buildIndex(db, { schema, name: "guest_by_end", table: "guest", definition });
  },
};
