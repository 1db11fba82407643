import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { schema } from "./schema.ts";

const organization = sql.id(schema, "organization");

/**
 * The operator classes of trigrams live in the schema that the extension was created in. Another service may be creating it
 * at the same moment.
 */
const trigramOperators = async (db: Kysely<any>): Promise<RawBuilder<unknown>> => {
  await sql`
    do $$ begin
      create extension if not exists pg_trgm with schema public;
    exception when unique_violation or duplicate_object then null;
    end $$`.execute(db);
  const { rows } = await sql<{ name: string }>`
    select quote_ident(nspname) || '.gin_trgm_ops' as name
    from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
    where extname = 'pg_trgm'`.execute(db);
  return sql.raw(rows[0]?.name ?? "gin_trgm_ops");
};

/**
 * Makes lists of organizations as quick with a hundred thousand as with a few. Text goes by code point and by its beginning
 * in lower case: an index serves prefixes so, does not depend on the machine's locale, and its entries have a longest length.
 */
const indexOrganizations = async (db: Kysely<any>): Promise<void> => {
  const operators = await trigramOperators(db);
  await sql`create index organization_by_created_at on ${organization} (created_at, id)`.execute(
    db,
  );
  for (const column of ["name", "slug"]) {
    const text = sql`lower(${sql.id(column)})`;
    await sql`
      create index ${sql.id(`organization_by_${column}`)} on ${organization}
      ((left(${text}, 100) collate "C"), id)`.execute(db);
    await sql`
      create index ${sql.id(`organization_${column}_trigrams`)} on ${organization}
      using gin ((${text}) collate "C" ${operators}) with (gin_pending_list_limit = 64)`.execute(
      db,
    );
  }
};

/** What lists are searched, sorted and gone through by. */
export const organizationListsMigration: Migration = {
  // Migrations change the shape itself, so no row types hold here.
  up: async (db: Kysely<any>) => {
    // To the millisecond, as clients see them: a cursor tells the very place of a row.
    for (const table of ["organization", "member"])
      await sql`
        alter table ${sql.id(schema, table)} alter column created_at type timestamptz(3)`.execute(
        db,
      );
    await indexOrganizations(db);
  },
};
