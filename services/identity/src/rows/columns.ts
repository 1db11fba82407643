import type { AdditionalField } from "@latchkey/contracts";

/**
 * How values of a column compare: an id exactly, an address in lower case, text case-insensitively. `email`, `name` and
 * `role` are texts by which users are searched. The last two are lists.
 */
export type ColumnType =
  | "id"
  | "email"
  | "name"
  | "role"
  | "text"
  | "boolean"
  | "number"
  | "date"
  | "texts"
  | "numbers";

/** A column by which rows can be found and sorted. */
export interface Column {
  name: string;
  type: ColumnType;
  /** True for an additional field, whose value is in `extra`. */
  isField: boolean;
  isNullable: boolean;
}

/** By the name that clients use. */
export type Columns = ReadonlyMap<string, Column>;

const column = (name: string, type: ColumnType, isNullable = false): Column => ({
  name,
  type,
  isNullable,
  isField: false,
});

const toColumns = (columns: readonly Column[]): Columns =>
  new Map(columns.map((one) => [one.name, one]));

const times = [column("createdAt", "date"), column("updatedAt", "date")];

const ofEveryUser = [
  column("id", "id"),
  column("name", "name"),
  column("email", "email"),
  column("emailVerified", "boolean"),
  column("image", "text", true),
  ...times,
];
const ofUsernames = [column("username", "text", true), column("displayUsername", "text", true)];
const ofAdmin = [
  column("role", "role", true),
  column("banned", "boolean"),
  column("banReason", "text", true),
  column("banExpires", "date", true),
];

const fieldTypes = {
  string: "text",
  number: "number",
  boolean: "boolean",
  date: "date",
  "string[]": "texts",
  "number[]": "numbers",
} as const;

const fieldColumns = (fields: Readonly<Record<string, AdditionalField>>): Column[] =>
  Object.entries(fields).map(([name, { type }]) => ({
    name,
    type: Array.isArray(type) ? "text" : fieldTypes[type],
    isField: true,
    isNullable: true,
  }));

/** Returns the columns of users, with the given additional fields. */
export const userColumnsWith = (fields: Readonly<Record<string, AdditionalField>>): Columns =>
  toColumns([...ofEveryUser, ...ofUsernames, ...ofAdmin, ...fieldColumns(fields)]);

/** The columns of accounts without secrets. */
export const accountColumns: Columns = toColumns([
  column("id", "id"),
  column("userId", "id"),
  column("providerId", "text"),
  column("accountId", "text"),
  ...times,
]);
