import { buildIndex, type SchemaMigration } from "@latchkey/service-kit/database";
import { sql } from "kysely";
import { schema } from "./tables.ts";

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
