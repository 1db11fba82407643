import { type Kysely, type RawBuilder, sql } from "kysely";
import { buildIndex } from "./build-index.ts";
import type { MigratedDatabase } from "./schema-migration.ts";

/**
 * Returns the operator class of trigram indexes for a migration, and creates the extension if missing. The class is in the
 * schema in which the extension was created. Another service may create it at the same moment.
 */
const trigramOperatorName = async (db: Kysely<any>): Promise<string> => {
  await sql`
    do $$ begin
      create extension if not exists pg_trgm with schema public;
    exception when unique_violation or duplicate_object then null;
    end $$`.execute(db);
  const { rows } = await sql<{ name: string }>`
    select quote_ident(nspname) || '.gin_trgm_ops' as name
    from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
    where extname = 'pg_trgm'`.execute(db);
  return rows[0]?.name ?? "gin_trgm_ops";
};

/** Returns the operator class of trigram indexes as a part of a statement, and creates the extension if missing. */
export const trigramOperators = async (db: Kysely<any>): Promise<RawBuilder<unknown>> =>
  sql.raw(await trigramOperatorName(db));

/**
 * Accents are dropped before letters become small, so that this works in a database of any locale. Syllables of Korean and voiced letters of
 * Japanese are composed again, because their parts would make other trigrams. Canonical forms contain no further letter with a meaning in
 * `like`.
 */
const foldedValue = sql`
  case
    when octet_length(value) = char_length(value) then lower(value)
    else translate(
      lower(translate(
        normalize(regexp_replace(normalize(value, NFD), '[\\u0300-\\u036f]', '', 'g'), NFC), 'ØŁĐĦŦ', 'OLDHT')),
      'øłđħŧıς', 'oldhtiσ')
  end`;

/** Returns what the function computes. Postgres decomposes letters in UTF8 only, and some encodings lack these letters. */
const foldingOf = async (db: MigratedDatabase): Promise<RawBuilder<unknown>> => {
  const { rows } = await sql<{ encoding: string }>`
    select getdatabaseencoding() as encoding`.execute(db);
  return rows[0]?.encoding === "UTF8" ? foldedValue : sql`lower(value)`;
};

/**
 * Lets searches find the texts of a column without their accents, for a migration that runs outside a transaction. The function needs no
 * extension, and Postgres inlines it. Without statistics of the expression, the totals of searches would be wrong.
 */
export const indexFolded = async (
  db: MigratedDatabase,
  { schema, table, column }: Record<"column" | "schema" | "table", string>,
): Promise<void> => {
  await sql`
    create or replace function ${sql.id(schema, "fold_text")}(value text) returns text
    language sql immutable parallel safe
    return ${await foldingOf(db)}`.execute(db);
  const name = `${table}_${column}_folded`;
  const operators = await trigramOperatorName(db);
  await buildIndex(db, {
    schema,
    name,
    table,
    definition: `using gin ((${schema}.fold_text(${column})) collate "C" ${operators}) with (gin_pending_list_limit = 64)`,
  });
  await sql`alter index ${sql.id(schema, name)} alter column 1 set statistics 1000`.execute(db);
  await sql`analyze ${sql.id(schema, table)}`.execute(db);
};
