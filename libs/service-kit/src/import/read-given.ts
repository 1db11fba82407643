import type { Columns, InitialOf, RowOf } from "../database/columns.ts";

const yearOne = Date.parse("0001-01-01T00:00:00Z");
const yearLast = Date.parse("9999-12-31T23:59:59Z");

/** Ids and other unique texts are indexed, and an index entry has a maximum length. */
export const idLengthMax = 255;

type GivenValue<Value> = Value extends Date
  ? number
  : Value extends boolean
    ? boolean
    : Value extends number
      ? number
      : string;

/** A row of another database. Times are milliseconds since the Unix epoch. Values are null in columns that it does not have. */
export type GivenValues<C extends Columns> = {
  [Name in keyof C]: GivenValue<NonNullable<RowOf<C>[Name]>> | null;
} & { id: string };

/** The row to write, as far as it follows from the columns. Null stands for a missing value. */
type ReadRow<C extends Columns> = {
  [Name in keyof C]: Name extends keyof InitialOf<C> ? RowOf<C>[Name] : RowOf<C>[Name] | null;
};

/** Returns a time, or null if it is not in the years 1 to 9999. */
export const readTime = (milliseconds: number | null): Date | null =>
  milliseconds !== null && milliseconds >= yearOne && milliseconds <= yearLast
    ? new Date(milliseconds)
    : null;

/** Converts the values of a row, and gives missing ones their initial value. Longer text is cut. */
export const readGiven = <C extends Columns>(
  columns: C,
  given: GivenValues<C>,
  textLengthMax = Number.POSITIVE_INFINITY,
): ReadRow<C> => {
  const read = (value: unknown, type: string): unknown => {
    if (typeof value === "string") return value.slice(0, textLengthMax).toWellFormed();
    return type === "timestamptz" ? readTime(value as number | null) : value;
  };
  return Object.fromEntries(
    Object.entries(columns).map(([name, { type, initial = null }]) => [
      name,
      read(given[name], type) ?? initial,
    ]),
  ) as ReadRow<C>; // the types follow the same rules
};
