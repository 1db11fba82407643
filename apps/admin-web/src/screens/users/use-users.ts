import { useQuery } from "@tanstack/react-query";
import { operations } from "../../api/contracts.ts";
import { type ListedRow, listQuery } from "../../components/data-table/list-query.ts";
import { pageOf } from "../../components/data-table/table-search.ts";
import type { UsersSearch } from "./users-search.ts";

const { adminListUsers } = operations.identity;

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

/** Queries the page of users that the address selects. */
export const useUsers = (search: UsersSearch) => {
  const { q, by = "email" } = search;
  return useQuery(
    listQuery(adminListUsers, "users", {
      query: {
        ...pageOf(search),
        ...(q !== undefined && { searchField: by, searchValue: q }),
        ...filterOf(search),
      },
    }),
  );
};
