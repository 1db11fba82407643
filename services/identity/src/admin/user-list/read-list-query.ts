import type { OperationInput, operations } from "@latchkey/contracts";
import { type PageQuery, readAmounts, refuseQuery } from "@latchkey/service-kit";
import type { Column, Columns } from "../../users/search/columns.ts";
import { type Condition, readCondition } from "../../users/search/read-condition.ts";
import { readSearch } from "./read-search.ts";

export type ListQuery = OperationInput<typeof operations.identity.adminListUsers>["query"];

/** Zero and invalid numbers count as missing. */
const readGivenAmounts = (query: ListQuery): { limit?: number; offset?: number } => {
  const amountOf = (text: string | undefined) => Number(text) || 0;
  const { limit, offset } = readAmounts({
    limit: amountOf(query.limit),
    offset: amountOf(query.offset),
  });
  return { ...(limit && { limit }), ...(offset && { offset }) };
};

/** Returns the value that a text represents in the column's JSON type, or undefined. */
const valueOf = ({ type }: Column, text: string): unknown => {
  if (type === "boolean") return { true: true, false: false }[text];
  if (type !== "number" && type !== "numbers") return text;
  return text.trim() === "" ? undefined : Number(text);
};

const readFilter = (query: ListQuery, column: Column): Condition[] => {
  const { filterOperator = "eq", filterValue } = query;
  if (!filterValue) return [];
  const isList = filterOperator === "in";
  if (Array.isArray(filterValue) && !isList) refuseQuery("filterValue", "is more than one value");
  const [first, ...others] = [filterValue].flat().map((text) => valueOf(column, text));
  return [
    readCondition({
      column,
      operator: filterOperator,
      value: isList ? [first, ...others] : first,
      refuse: (problem) => refuseQuery("filterValue", problem),
    }),
  ];
};

/** A list query with its conditions. */
export interface ReadListQuery extends PageQuery {
  sortBy: string;
  sortDirection: "asc" | "desc";
  conditions: Condition[];
  /** At least one of them holds, unless there are none. */
  alternatives: Condition[];
  /** The amounts in the query itself. */
  given: { limit?: number; offset?: number };
}

/** Parses a list query. Returns undefined if it refers to an unknown column. */
export const readListQuery = (columns: Columns, query: ListQuery): ReadListQuery | undefined => {
  const given = readGivenAmounts(query);
  const sortBy = query.sortBy || "createdAt";
  const filtered = columns.get((query.filterValue && query.filterField) || "email");
  if (!columns.has(sortBy) || !filtered) return undefined;
  const search = readSearch(columns, query);
  return {
    given,
    sortBy,
    sortDirection: (query.sortBy && query.sortDirection) || "asc",
    cursor: query.cursor,
    conditions: [...search.conditions, ...readFilter(query, filtered)],
    alternatives: search.alternatives,
  };
};
