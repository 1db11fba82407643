import { operations } from "@latchkey/ui/api/contracts.ts";
import { type ListedRow, listQuery } from "../../components/data-table/list-query.ts";
import { pageOf } from "../../components/data-table/page-of.ts";
import type { UsersSearch } from "./users-search.ts";

export const { adminListUsers } = operations.identity;

export type User = ListedRow<typeof adminListUsers, "users">;

const stateFilters = {
  banned: { filterField: "banned", filterValue: "true", filterOperator: "eq" },
  unverified: { filterField: "emailVerified", filterValue: "false", filterOperator: "eq" },
  verified: { filterField: "emailVerified", filterValue: "true", filterOperator: "eq" },
  "second-factor": { filterField: "hasSecondFactor", filterValue: "true", filterOperator: "eq" },
  "no-second-factor": {
    filterField: "hasSecondFactor",
    filterValue: "false",
    filterOperator: "eq",
  },
} as const;

const filterOf = ({ state, role }: UsersSearch) => {
  if (state !== undefined) return stateFilters[state];
  if (role === undefined) return {};
  return { filterField: "role", filterValue: role, filterOperator: "has" } as const;
};

/** Returns the input of the operation for a search. */
export const inputOf = (search: UsersSearch) => ({
  query: {
    ...pageOf(search),
    ...(search.q !== undefined && { searchField: "any" as const, searchValue: search.q }),
    ...filterOf(search),
  },
});

/** Reads the page of users that the address selects. */
export const usersQuery = (search: UsersSearch) =>
  listQuery(adminListUsers, "users", inputOf(search));

/** Sorts by newest first, unless the address says otherwise. */
export const withUsualSort = (search: UsersSearch) => {
  const { sort = "createdAt", dir = sort === "createdAt" ? "desc" : "asc" } = search;
  return { ...search, sort, dir };
};
