import type { ColumnType } from "kysely";

type PostgresType = "bigint" | "boolean" | "bytea" | "integer" | "jsonb" | "text" | "timestamptz";

/** A column: its type in Postgres, and the types of its values when it is selected, inserted and updated. */
export interface Column<Selected, Inserted = Selected, Updated = Inserted> {
  readonly type: PostgresType;
  readonly isNullable: boolean;
  /** The value of rows that do not set it, such as rows that are older than the column. Undefined if every row sets it. */
  readonly initial?: Selected;
  /** Never set. Carries the types of the values. */
  readonly typed?: ColumnType<Selected, Inserted, Updated>;
}

/** The columns of a table, or a part of them, by name. */
export type Columns = Readonly<Record<string, Column<any, any, any>>>;

/** The row type for Kysely. */
export type TableOf<C extends Columns> = { [Name in keyof C]: NonNullable<C[Name]["typed"]> };

/** A selected row. */
export type RowOf<C extends Columns> = {
  [Name in keyof C]: NonNullable<C[Name]["typed"]>["__select__"];
};

/** The members of a row that have an initial value. */
export type InitialOf<C extends Columns> = Pick<
  RowOf<C>,
  {
    [Name in keyof C]: null extends RowOf<C>[Name]
      ? Name
      : undefined extends NonNullable<C[Name]["typed"]>["__insert__"]
        ? Name
        : never;
  }[keyof C]
>;

const columnOf = <Selected, Inserted = Selected>(
  type: PostgresType,
): Column<Selected, Inserted> => ({
  type,
  isNullable: false,
});

/** The types of columns. A JSON value is written as text. */
export const columnTypes = {
  bigint: columnOf<number>("bigint"),
  boolean: columnOf<boolean>("boolean"),
  bytes: columnOf<Buffer>("bytea"),
  integer: columnOf<number>("integer"),
  json: <Value>() => columnOf<Value, string>("jsonb"),
  text: columnOf<string>("text"),
  /** Text with few possible values. */
  textOf: <Value extends string>() => columnOf<Value>("text"),
  time: columnOf<Date>("timestamptz"),
};

export const nullable = <S, I, U>(
  column: Column<S, I, U>,
): Column<S | null, I | null, U | null> => ({
  type: column.type,
  isNullable: true,
  initial: null,
});

/** Gives rows that do not set the column a value. The migration declares the same default. */
export const withInitial = <S, I, U>(
  { type, isNullable }: Column<S, I, U>,
  initial: NoInfer<S>,
): Column<S, I | undefined, U> => ({ type, isNullable, initial });

/** Marks a column that an insert sets and no update changes. */
export const writtenOnce = <S, I>(column: Column<S, I, unknown>): Column<S, I, never> =>
  column as Column<S, I, never>; // only the types differ

/** Marks a column that Postgres sets when a row is inserted. */
export const setByPostgres = <S, U>(column: Column<S, unknown, U>): Column<S, never, U> =>
  column as Column<S, never, U>; // only the types differ

export const namesOf = <C extends Columns>(columns: C): (keyof C & string)[] =>
  Object.keys(columns);

/** Returns the columns without some of them, in their order. */
export const withoutColumns = <C extends Columns, Name extends keyof C>(
  columns: C,
  ...left: readonly Name[]
): Omit<C, Name> => {
  const names: ReadonlySet<PropertyKey> = new Set(left);
  return Object.fromEntries(
    Object.entries(columns).filter(([name]) => !names.has(name)),
  ) as unknown as Omit<C, Name>; // exactly these are left out
};

/** Returns the names with their table, for selections that join several tables. */
export const qualified = <Table extends string, Name extends string>(
  table: Table,
  names: readonly Name[],
): `${Table}.${Name}`[] => names.map((name) => `${table}.${name}` as const);

/** Returns the name of a column in Postgres. */
export const snakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Returns the initial values of the columns that have one. */
export const initialOf = <C extends Columns>(columns: C): InitialOf<C> =>
  Object.fromEntries(
    Object.entries(columns).flatMap(([name, { initial }]) =>
      initial === undefined ? [] : [[name, initial]],
    ),
  ) as InitialOf<C>; // the types follow the same rule

/**
 * Compiles a function that returns an object with a member for each expression. V8 runs such a literal several times faster than a
 * loop over names, and each session look-up copies its rows.
 */
const compileCopy = (
  names: readonly string[],
  expressionOf: (name: string) => string,
): ((from: object, initial?: object) => unknown) => {
  const members = names.map((name) => `${name}: ${expressionOf(name)}`);
  // oxlint-disable-next-line typescript/no-implied-eval -- the source contains only names of columns
  return new Function("from", "initial", `return { ${members.join(", ")} };`) as never;
};

/**
 * Returns a function that copies these members of an object. `sourceOf` returns the name of a member in the object, which is the same
 * by default.
 */
export const picker = <Row extends object>(
  names: readonly (keyof Row & string)[],
  sourceOf: (name: string) => string = (name) => name,
): ((from: object) => Row) =>
  compileCopy(names, (name) => `from.${sourceOf(name)}`) as (from: object) => Row;

/**
 * Returns a function that makes a parsed JSON object a row. Times, which are text or milliseconds, become dates. Missing members get
 * their initial values.
 */
export const jsonReader = <C extends Columns>(columns: C): ((parsed: object) => RowOf<C>) => {
  const initial = initialOf(columns);
  const read = compileCopy(namesOf(columns), (name) => {
    const value = `from.${name} ?? initial.${name}`;
    return columns[name]?.type === "timestamptz"
      ? `from.${name} == null ? initial.${name} : new Date(from.${name})`
      : value;
  });
  return (parsed) => read(parsed, initial) as RowOf<C>;
};
