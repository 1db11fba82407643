import { buildIndex, type SchemaMigration } from "@latchkey/service-kit";
import { sql } from "kysely";
import { schema } from "./schema.ts";

/** Adds who created a key of an organization, and from when the lifetime of a re-rolled key counts. Null in keys from before. */
export const keyCreatorsMigration: SchemaMigration = {
  isOutsideTransaction: true,
  up: async (db) => {
    await sql`
      alter table ${sql.id(schema, "api_key")}
      add column if not exists created_by text,
      add column if not exists lifetime_from timestamptz`.execute(db);
    await buildIndex(db, {
      schema,
      name: "api_key_by_creator",
      table: "api_key",
      definition: "(created_by, created_at, id) where created_by is not null",
    });
  },
};
