import type { Kysely } from "kysely";
import { sql } from "kysely";
import { type DescribedView, viewMark } from "./view-rules.ts";

// The schema may be any service's, so no row types apply.
type Db = Kysely<any>;

/** Returns the option-defined views of a schema with their comments. */
export const listViews = async (
  db: Db,
  schema: string,
): Promise<{ name: string; comment: string }[]> => {
  const { rows } = await sql<{ name: string; comment: string }>`
    select relname as name, obj_description(oid, 'pg_class') as comment from pg_class
    where relnamespace = to_regnamespace(${schema}) and relkind = 'v'
      and starts_with(obj_description(oid, 'pg_class'), ${viewMark})`.execute(db);
  return rows;
};

/** Returns the names among these that a table, view, index or sequence of a schema has. */
export const listImported = async (
  db: Db,
  schema: string,
  names: readonly string[],
): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = to_regnamespace(${schema}) and relname = any(${[...names]}::text[])`.execute(
    db,
  );
  return rows.map(({ name }) => name);
};

/** Returns the columns of a table in order, without Postgres's system columns. */
export const listColumns = async (db: Db, schema: string, table: string): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = ${schema} and table_name = ${table} and is_generated = 'NEVER'
    order by ordinal_position`.execute(db);
  return rows.map(({ name }) => name);
};

// The names and definitions below contain only names from the options or the catalogue, without quotes. They are written as raw
// SQL, because the camel-case plugin must not convert them.
const quoted = (schema: string, name: string) => sql.raw(`"${schema}"."${name}"`);

export const createView = async (
  db: Db,
  schema: string,
  { name, definition, comment }: DescribedView,
): Promise<void> => {
  const view = quoted(schema, name);
  await sql`create view ${view} as ${sql.raw(definition)}`.execute(db);
  await sql`comment on view ${view} is ${sql.raw(`'${comment}'`)}`.execute(db);
};

export const dropView = async (db: Db, schema: string, name: string): Promise<void> => {
  await sql`drop view ${quoted(schema, name)}`.execute(db);
};
