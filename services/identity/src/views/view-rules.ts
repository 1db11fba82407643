import { createHash } from "node:crypto";
import type { AdditionalField } from "@latchkey/contracts";
import type { IdentityConfig } from "../config.ts";
import { schema } from "../db/schema.ts";

const tables = ["user", "session", "account", "verification"] as const;
export type ViewedTable = (typeof tables)[number];

/** A view that the options ask for. */
export interface WantedView {
  table: ViewedTable;
  name: string;
  /** Names of columns, by field. */
  names: Readonly<Record<string, string>>;
  additionalFields: Readonly<Record<string, AdditionalField>>;
}

/** The views that the options ask for: one for each table with a name of the application's own. */
export const wantedViews = (config: IdentityConfig): WantedView[] =>
  tables.flatMap((table) => {
    const { modelName, fields } = config[table];
    if (modelName === undefined) return [];
    const additionalFields =
      table === "user" || table === "session" ? config.additionalFields[table] : {};
    return [{ table, name: modelName, names: fields, additionalFields }];
  });

const toSnake = (name: string): string =>
  name.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();

const toCamel = (name: string): string =>
  name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** SQL of an additional field's value; null where the row holds another type, so that no old row spoils a view. */
const expressionOf = (name: string, { type }: AdditionalField): string => {
  const [json, text] = [`extra -> '${name}'`, `extra ->> '${name}'`];
  const whereType = (of: string, value: string) =>
    `case when jsonb_typeof(${json}) = '${of}' then ${value} end`;
  const listOf = (of: string, cast: string) =>
    whereType(
      "array",
      `array(select (item #>> '{}')${cast} from jsonb_array_elements(${json}) as item where jsonb_typeof(item) = '${of}')`,
    );
  if (type === "number") return whereType("number", `(${text})::numeric`);
  if (type === "boolean") return whereType("boolean", `(${text})::boolean`);
  if (type === "string[]") return listOf("string", "");
  if (type === "number[]") return listOf("number", "::numeric");
  if (type === "date")
    return `case when ${text} ~ '^\\d{4}-\\d\\d-\\d\\dT[0-9:.]{12}Z$' then (${text})::timestamptz end`;
  return text;
};

interface Column {
  field: string;
  name: string;
  expression: string;
}

const columnsOf = (
  { names, additionalFields }: WantedView,
  tableColumns: readonly string[],
): Column[] => {
  const named = (field: string) => (Object.hasOwn(names, field) ? names[field] : undefined);
  const own = tableColumns.map((column) => {
    const field = toCamel(column);
    return { field, name: named(field) ?? column, expression: `"${column}"` };
  });
  const additional = Object.entries(additionalFields).map(([field, configured]) => ({
    field,
    name: named(field) ?? toSnake(field),
    expression: expressionOf(field, configured),
  }));
  return [...own, ...additional];
};

const problemsOf = ({ table, names }: WantedView, columns: readonly Column[]): string[] => {
  const fields = new Set(columns.map(({ field }) => field));
  const unknown = Object.keys(names)
    .filter((field) => !fields.has(field))
    .map((field) => `${table}.fields.${field}: there is no such field`);
  const twice = columns
    .filter(({ name }, index) => columns.findIndex((other) => other.name === name) < index)
    .map(({ name, field }) => `${table}.fields.${field}: another column is named ${name} too`);
  return [...unknown, ...twice];
};

/** What every comment on a view of ours begins with, and no other. */
export const viewMark = "Made by Latchkey from its options";

export interface DescribedView {
  name: string;
  definition: string;
  /** Tells the view as ours, and whether it is as the options say. */
  comment: string;
}

/** A wanted view as SQL, and what is wrong with it. `tableColumns` as the table has them at the moment. */
export const describeView = (
  wanted: WantedView,
  tableColumns: readonly string[],
): { view: DescribedView; problems: string[] } => {
  const columns = columnsOf(wanted, tableColumns);
  const list = columns.map(({ expression, name }) => `${expression} as "${name}"`).join(", ");
  const definition = `select ${list} from ${schema}."${wanted.table}"`;
  const hash = createHash("sha256").update(definition).digest("hex").slice(0, 16);
  const comment = `${viewMark}: the table ${wanted.table} (${hash})`;
  return {
    view: { name: wanted.name, definition, comment },
    problems: problemsOf(wanted, columns),
  };
};
