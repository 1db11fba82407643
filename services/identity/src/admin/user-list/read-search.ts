import type { OperationInput, operations } from "@latchkey/contracts";
import { refuseQuery } from "@latchkey/service-kit";
import { keyLength } from "../../db/column-sql.ts";
import type { Columns } from "../../users/search/columns.ts";
import { type Condition, type Operator, readCondition } from "../../users/search/read-condition.ts";

type AskedSearch = Pick<
  OperationInput<typeof operations.identity.adminListUsers>["query"],
  "searchField" | "searchOperator" | "searchValue"
>;

/** The conditions of a search. A user matches if all of `conditions` hold, and one of `alternatives` unless there are none. */
export interface ReadSearch {
  conditions: Condition[];
  alternatives: Condition[];
}

/** A single letter is in nearly every address, and only an index of beginnings finds it. */
const defaultOperator = (term: string): Operator =>
  [...term].length > 1 ? "contains" : "starts_with";

/** Each alternative has an index of its own, which the planner combines with the others. */
const alternativesOf = (term: string, operator: Operator): [column: string, Operator][] => [
  ["email", operator],
  ["name", operator],
  // Only terms that fit into a key twice use the index of beginnings, because lower case may be longer.
  ["username", term.length * 2 <= keyLength ? "starts_with" : "eq"],
  ["id", "eq"],
];

/** Reads the search of a list query. An unknown column or an empty term makes no condition. */
export const readSearch = (columns: Columns, query: AskedSearch): ReadSearch => {
  const { searchField = "email", searchOperator, searchValue: term } = query;
  if (!term) return { conditions: [], alternatives: [] };
  const read = ([name, operator]: [string, Operator]): Condition[] => {
    const column = columns.get(name);
    const refuse = (problem: string) => refuseQuery("searchValue", problem);
    return column ? [readCondition({ column, operator, value: term, refuse })] : [];
  };
  if (searchField !== "any")
    return { conditions: read([searchField, searchOperator ?? "contains"]), alternatives: [] };
  // Names hardly ever contain an `@`, and searches of addresses alone use the index of domains.
  if (term.includes("@"))
    return { conditions: read(["email", searchOperator ?? "contains"]), alternatives: [] };
  const asked = alternativesOf(term, searchOperator ?? defaultOperator(term));
  return { conditions: [], alternatives: asked.flatMap(read) };
};
