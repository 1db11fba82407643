import type { AdditionalField } from "@latchkey/contracts";
import { type Columns as TableColumns, withoutColumns } from "@latchkey/service-kit/database";
import type { RawBuilder } from "kysely";
import { shownAccountColumns, userColumns } from "../../db/tables.ts";

/**
 * How values of a column compare: an id exactly, an address in lower case, text case-insensitively. `email`, `name` and
 * `role` are texts by which users are searched. The last two are lists.
 */
export type ColumnType =
  | "id"
  | "email"
  | "name"
  | "phone"
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
  /** The value as SQL, of a column that no table has. */
  computed?: RawBuilder<unknown>;
}

/** By the name that clients use. */
export type Columns = ReadonlyMap<string, Column>;

/** Columns whose values compare in a way of their own. */
const ownTypes: Readonly<Record<string, ColumnType>> = {
  id: "id",
  userId: "id",
  email: "email",
  name: "name",
  phoneNumber: "phone",
  role: "role",
};

const typeOf = (name: string, { type }: TableColumns[string]): ColumnType => {
  if (type === "timestamptz") return "date";
  return type === "boolean" ? "boolean" : (ownTypes[name] ?? "text");
};

const toColumns = (columns: TableColumns): Column[] =>
  Object.entries(columns).map(([name, column]) => ({
    name,
    type: typeOf(name, column),
    isField: false,
  }));

const byName = (columns: readonly Column[]): Columns =>
  new Map(columns.map((one) => [one.name, one]));

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
  }));

const ofEveryUser = toColumns(withoutColumns(userColumns, "extra", "revision"));

/** Returns the columns of users, with the given additional fields. */
export const userColumnsWith = (fields: Readonly<Record<string, AdditionalField>>): Columns =>
  byName([...ofEveryUser, ...fieldColumns(fields)]);

/** The columns of accounts by which services may search. */
export const accountSearchColumns: Columns = byName(toColumns(shownAccountColumns));
