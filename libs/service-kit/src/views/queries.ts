import type { Kysely } from "kysely";
import { sql } from "kysely";
import { type DescribedView, viewMark } from "./view-rules.ts";

// The schema may be any service's, so no row types hold here.
type Db = Kysely<any>;

/** The views of a schema that options made, with what their comments tell. */
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

/** Which of some names belong to a table, view, index or sequence of a schema. */
export const listTaken = async (
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

/** Names of a table's columns, in their order; not of those that Postgres keeps by itself. */
export const listColumns = async (db: Db, schema: string, table: string): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = ${schema} and table_name = ${table} and is_generated = 'NEVER'
    order by ordinal_position`.execute(db);
  return rows.map(({ name }) => name);
};

// The names and definitions below are made of names that the options or the catalogue hold, without quotes in them. They
// are written as they are: the plugin that turns names of code into names of columns must not turn these.
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
