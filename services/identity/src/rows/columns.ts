import type { AdditionalField } from "@latchkey/contracts";

/**
 * How values of a column compare: an id as it is, an address in lower case, text regardless of case. `email`, `name` and
 * `role` are texts that users are searched by. The last two are lists.
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

/** What rows can be found and sorted by. */
export interface Column {
  name: string;
  type: ColumnType;
  /** An additional field: its value lies in `extra`. */
  isField: boolean;
  isNullable: boolean;
}

/** By the name that clients know. */
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

/** The columns of users, with every additional field that is given. */
export const userColumnsWith = (fields: Readonly<Record<string, AdditionalField>>): Columns =>
  toColumns([...ofEveryUser, ...ofUsernames, ...ofAdmin, ...fieldColumns(fields)]);

/** The columns of accounts that hold no secret. */
export const accountColumns: Columns = toColumns([
  column("id", "id"),
  column("userId", "id"),
  column("providerId", "text"),
  column("accountId", "text"),
  ...times,
]);
