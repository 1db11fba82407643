import { buildIndex, type SchemaMigration } from "@latchkey/service-kit";
import { sql } from "kysely";
import { schema } from "./schema.ts";

/** Adds the successor of a re-rolled key, with the index that finds the earlier keys of a successor. Null for any other key. */
export const keySuccessorsMigration: SchemaMigration = {
  isOutsideTransaction: true,
  up: async (db) => {
    await sql`
      alter table ${sql.id(schema, "api_key")} add column if not exists successor_id text`.execute(
      db,
    );
    await buildIndex(db, {
      schema,
      name: "api_key_by_successor",
      table: "api_key",
      definition: "(successor_id) where successor_id is not null",
    });
  },
};
