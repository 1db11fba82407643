import { buildIndex, type SchemaMigration } from "@latchkey/service-kit";
import { sql } from "kysely";
import { schema } from "./schema.ts";

const owned = ["api_key", "key_usage"];

/** Lets organizations own keys. A key has either a user or an organization, and so have the counts of its uses. */
export const organizationKeysMigration: SchemaMigration = {
  isOutsideTransaction: true,
  unsafe:
    "rows without a user exist only once apiKey.organizationKeys.enabled is on, which no version before knows; every row that such a version writes has a user; the lock reads and rewrites nothing",
  up: async (db) => {
    for (const table of owned) {
      await sql`
        alter table ${sql.id(schema, table)}
        add column if not exists organization_id text,
        alter column user_id drop not null,
        drop constraint if exists ${sql.id(`${table}_owner`)},
        add constraint ${sql.id(`${table}_owner`)}
          check (num_nonnulls(user_id, organization_id) = 1) not valid`.execute(db);
    }
    await sql`
      create table if not exists ${sql.id(schema, "departed_organization")} (
        organization_id text primary key,
        departed_at timestamptz not null
      )`.execute(db);
    await buildIndex(db, {
      schema,
      name: "departed_organization_by_departed_at",
      table: "departed_organization",
      definition: "(departed_at)",
    });
    await buildIndex(db, {
      schema,
      name: "api_key_by_organization",
      table: "api_key",
      definition: "(organization_id, created_at, id) where organization_id is not null",
    });
    await buildIndex(db, {
      schema,
      name: "key_usage_by_organization",
      table: "key_usage",
      definition: "(organization_id) where organization_id is not null",
    });
  },
};
