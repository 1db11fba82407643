import type { PoolClient } from "pg";
import { snakeCase } from "@latchkey/service-kit/database";
import { Refusal } from "../terminal/refusal.ts";
import type { SourceNames } from "./source-names.ts";

/** A table of the other database. */
export interface SourceTable {
  name: string;
  /** The quoted name for statements. */
  sql: string;
  /** The types of columns, by name. */
  columns: ReadonlyMap<string, string>;
  /** Returns the column of a field, or undefined. */
  columnOf(field: string): string | undefined;
}

/** The tables of the other database: those of its models, and the names of all. */
export interface SourceTables {
  of(model: string): SourceTable | undefined;
  /** The names of tables without a model. */
  others: readonly string[];
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

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

/** Returns the default name, and the variants that database libraries use. */
const candidates = (model: string): string[] => [
  model,
  snakeCase(model),
  `${model}s`,
  `${snakeCase(model)}s`,
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
      fields[field] ??
      [field, snakeCase(field.replace(/ID$/, "Id")), field.toLowerCase()].find((one) =>
        columns.has(one),
      ),
  };
};

/** Finds the tables of models by their default names, also in snake case and in the plural, or by `names`. */
export const findSourceTables = async (
  client: PoolClient,
  { schema, models, names }: { schema: string; models: readonly string[]; names: SourceNames },
): Promise<SourceTables> => {
  const tables = await listColumns(client, schema);
  for (const model of Object.keys(names))
    if (!models.includes(model))
      throw new Refusal(`unknown model ${model}; the models are ${models.join(", ")}.`);
  const tableByModel = new Map<string, SourceTable>();
  for (const model of models) {
    const { table, fields = {} } = names[model] ?? {};
    if (table !== undefined && !tables.has(table))
      throw new Refusal(`the schema ${schema} of that database has no table ${table}.`);
    const name = table ?? candidates(model).find((one) => tables.has(one));
    const columns = name === undefined ? undefined : tables.get(name);
    if (name !== undefined && columns)
      tableByModel.set(model, describeTable({ schema, name, columns }, fields));
  }
  const used = new Set([...tableByModel.values()].map(({ name }) => name));
  return {
    of: (model) => tableByModel.get(model),
    others: [...tables.keys()].filter((name) => !used.has(name)).toSorted(),
  };
};

/** Returns a quoted column of a table alias. */
export const columnSql = (column: string, alias = "t"): string => `${alias}.${quoted(column)}`;
