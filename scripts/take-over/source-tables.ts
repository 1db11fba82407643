import type { PoolClient } from "pg";
import { Refusal } from "../commands/refusal.ts";
import type { SourceNames } from "./source-names.ts";

/** A table of the other database. */
export interface SourceTable {
  name: string;
  /** Ready for a statement. */
  sql: string;
  /** Types of columns, by name. */
  columns: ReadonlyMap<string, string>;
  /** The name of the column of a field; undefined where there is none. */
  columnOf(field: string): string | undefined;
}

/** The tables of the other database: those of models that it has, and the names of all. */
export interface SourceTables {
  of(model: string): SourceTable | undefined;
  /** Those that no model is kept in. */
  others: readonly string[];
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const snake = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const listColumns = async (client: PoolClient, schema: string) => {
  const { rows } = await client.query<{ table: string; column: string; type: string }>(
    `select c.relname as table, a.attname as column, format_type(a.atttypid, null) as type
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    where n.nspname = $1 and c.relkind in ('r', 'p', 'v', 'm') and a.attnum > 0 and not a.attisdropped`,
    [schema],
  );
  const tables = new Map<string, Map<string, string>>();
  for (const { table, column, type } of rows)
    tables.set(table, (tables.get(table) ?? new Map<string, string>()).set(column, type));
  return tables;
};

/** As it is called by default, or as libraries for databases like to call it. */
const candidates = (model: string): string[] => [
  model,
  snake(model),
  `${model}s`,
  `${snake(model)}s`,
  model.toLowerCase(),
];

const describeTable = (
  { schema, name, columns }: { schema: string; name: string; columns: Map<string, string> },
  fields: Readonly<Record<string, string>>,
): SourceTable => {
  for (const [field, column] of Object.entries(fields))
    if (!columns.has(column))
      throw new Refusal(`the table ${name} has no column ${column} for ${field}.`);
  return {
    name,
    sql: `${quoted(schema)}.${quoted(name)}`,
    columns,
    columnOf: (field) =>
      fields[field] ?? [field, snake(field), field.toLowerCase()].find((one) => columns.has(one)),
  };
};

/** Finds the tables of models by their default names, those in snake case and in the plural, or as `names` says. */
export const findSourceTables = async (
  client: PoolClient,
  { schema, models, names }: { schema: string; models: readonly string[]; names: SourceNames },
): Promise<SourceTables> => {
  const tables = await listColumns(client, schema);
  for (const model of Object.keys(names))
    if (!models.includes(model))
      throw new Refusal(`there is no model ${model}: they are ${models.join(", ")}.`);
  const found = new Map<string, SourceTable>();
  for (const model of models) {
    const { table, fields = {} } = names[model] ?? {};
    if (table !== undefined && !tables.has(table))
      throw new Refusal(`the schema ${schema} of that database has no table ${table}.`);
    const name = table ?? candidates(model).find((one) => tables.has(one));
    const columns = name === undefined ? undefined : tables.get(name);
    if (name !== undefined && columns)
      found.set(model, describeTable({ schema, name, columns }, fields));
  }
  const used = new Set([...found.values()].map(({ name }) => name));
  return {
    of: (model) => found.get(model),
    others: [...tables.keys()].filter((name) => !used.has(name)).toSorted(),
  };
};

/** A column ready for a statement, of a table by its alias. */
export const columnSql = (column: string, alias = "t"): string => `${alias}.${quoted(column)}`;
