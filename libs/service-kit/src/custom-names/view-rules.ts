import { createHash } from "node:crypto";

/** A configured view of a table: its columns, then computed ones, which are read-only. */
export interface WantedView {
  table: string;
  /** Path of the option, for error messages. */
  option: string;
  name: string;
  /** Column names by field. */
  names: Readonly<Record<string, string>>;
  /** SQL of computed columns by field. */
  computed?: Readonly<Record<string, string>>;
}

const toSnake = (name: string): string =>
  name.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();

const toCamel = (name: string): string =>
  name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

interface Column {
  field: string;
  name: string;
  expression: string;
}

const columnsOf = (
  { names, computed = {} }: WantedView,
  tableColumns: readonly string[],
): Column[] => {
  const named = (field: string) => (Object.hasOwn(names, field) ? names[field] : undefined);
  const own = tableColumns.map((column) => {
    const field = toCamel(column);
    return { field, name: named(field) ?? column, expression: `"${column}"` };
  });
  const further = Object.entries(computed).map(([field, expression]) => ({
    field,
    name: named(field) ?? toSnake(field),
    expression,
  }));
  return [...own, ...further];
};

const problemsOf = ({ option, names }: WantedView, columns: readonly Column[]): string[] => {
  const fields = new Set(columns.map(({ field }) => field));
  const unknown = Object.keys(names)
    .filter((field) => !fields.has(field))
    .map((field) => `${option}.fields.${field}: there is no such field`);
  const twice = columns
    .filter(({ name }, index) => columns.findIndex((other) => other.name === name) < index)
    .map(({ name, field }) => `${option}.fields.${field}: another column is named ${name} too`);
  return [...unknown, ...twice];
};

/** Prefix of the comment on each of our views, and on no other. */
export const viewMark = "Made by Latchkey from its options";

export interface DescribedView {
  name: string;
  definition: string;
  /** Identifies the view as ours and as up to date. */
  comment: string;
}

/** Returns a configured view as SQL, and its problems. `columns` are the table's current columns. */
export const describeView = (
  wanted: WantedView,
  { schema, columns: tableColumns }: { schema: string; columns: readonly string[] },
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
