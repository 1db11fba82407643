import { type OperationInput, type operations, WireError } from "@latchkey/contracts";
import type { SecretRing } from "@latchkey/crypto";
import type { Column, Columns } from "../rows/columns.ts";
import { type Condition, readCondition } from "../rows/read-condition.ts";
import { readPlace } from "./list-place.ts";
import type { ListOrder, ListRange } from "./list-range.ts";

export type ListQuery = OperationInput<typeof operations.identity.adminListUsers>["query"];

export interface ListQueryRules {
  columns: Columns;
  ring: SecretRing;
  defaultLimit: number;
}

const limitMax = 1000;

const refuse = (path: string, message: string): never => {
  throw new WireError("VALIDATION_ERROR", {
    message: "Invalid query parameters",
    issues: [{ path, message }],
  });
};

/** Reads a number. Zero and invalid numbers count as missing. */
const readAmount = (
  query: ListQuery,
  name: "limit" | "offset",
  max: number,
): number | undefined => {
  const amount = Number(query[name]);
  if (!amount) return undefined;
  if (!Number.isInteger(amount) || amount < 0 || amount > max)
    refuse(name, `must be a whole number from 0 to ${max}`);
  return amount;
};

/** Returns the value that a text represents in the column's JSON type, or undefined. */
const valueOf = ({ type }: Column, text: string): unknown => {
  if (type === "boolean") return { true: true, false: false }[text];
  if (type !== "number" && type !== "numbers") return text;
  return text.trim() === "" ? undefined : Number(text);
};

const readSearch = ({ columns }: ListQueryRules, query: ListQuery): Condition[] => {
  const { searchField = "email", searchOperator = "contains", searchValue } = query;
  const column = columns.get(searchField);
  return searchValue && column
    ? [
        readCondition({
          column,
          operator: searchOperator,
          value: searchValue,
          refuse: (problem) => refuse("searchValue", problem),
        }),
      ]
    : [];
};

const readFilter = (query: ListQuery, column: Column): Condition[] => {
  const { filterOperator = "eq", filterValue } = query;
  if (!filterValue) return [];
  return [
    readCondition({
      column,
      operator: filterOperator,
      value: valueOf(column, filterValue),
      refuse: (problem) => refuse("filterValue", problem),
    }),
  ];
};

export interface AskedPage {
  range: ListRange;
  /** The amounts in the query itself. */
  given: { limit?: number; offset?: number };
}

/** Parses a list query. Returns undefined if it refers to an unknown column. */
export const readListQuery = (rules: ListQueryRules, query: ListQuery): AskedPage | undefined => {
  const limit = readAmount(query, "limit", limitMax);
  const offset = readAmount(query, "offset", Number.MAX_SAFE_INTEGER);
  const sorted = rules.columns.get(query.sortBy || "createdAt");
  const filtered = rules.columns.get((query.filterValue && query.filterField) || "email");
  if (!sorted || !filtered) return undefined;
  const direction = query.sortBy ? query.sortDirection : undefined;
  const order: ListOrder = { column: sorted, direction: direction ?? "asc" };
  const after = query.cursor ? readPlace(rules.ring, order, query.cursor) : undefined;
  if (query.cursor && !after) refuse("cursor", "is of no list in this order");
  const conditions = [...readSearch(rules, query), ...readFilter(query, filtered)];
  return {
    range: {
      conditions,
      order,
      after,
      offset: offset ?? 0,
      limit: limit ?? rules.defaultLimit,
    },
    given: { ...(limit && { limit }), ...(offset && { offset }) },
  };
};
