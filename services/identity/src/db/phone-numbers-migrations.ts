import { buildIndex, type SchemaMigration } from "@latchkey/service-kit/database";
import { type Kysely, sql } from "kysely";
import { schema } from "./schema.ts";

/** Adds phone numbers of users, and when each was last used. */
export const phoneNumbersMigration: SchemaMigration = {
  // Migrations change the schema itself, so the row types do not apply here.
  up: async (db: Kysely<any>) => {
    await db.schema
      .alterTable("user")
      // By code point, so that one index finds whole numbers and beginnings.
      .addColumn("phone_number", sql`text collate "C"`)
      .addColumn("phone_number_verified", "boolean", (column) => column.notNull().defaultTo(false))
      .addColumn("phone_number_used_at", "timestamptz", (column) =>
        column.notNull().defaultTo(sql`now()`),
      )
      .addColumn("phone_number_proven_at", "timestamptz")
      .execute();
  },
};

/** Adds the numbers that merges have moved. */
export const mergedNumbersMigration: SchemaMigration = {
  up: async (db: Kysely<any>) => {
    await db.schema.alterTable("user_merge").addColumn("phone_number", "text").execute();
  },
};

/** A number is of one user. */
export const uniquePhoneNumbersMigration: SchemaMigration = {
  isOutsideTransaction: true,
  unsafe: "The version before writes no phone numbers, so none of its rows can break the index.",
  up: (db) =>
    buildIndex(db, {
      schema,
      name: "user_phone_number_key",
      table: "user",
      definition: "(phone_number) where phone_number is not null",
      isUnique: true,
    }),
};
