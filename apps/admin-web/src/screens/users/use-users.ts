import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { CallReply } from "../../api/call.ts";
import { operations } from "../../api/contracts.ts";
import { operationQuery } from "../../api/operation-query.ts";
import { pageOf } from "../../components/data-table/table-search.ts";
import type { UsersSearch } from "./users-search.ts";

const { adminListUsers } = operations.identity;

export type User = CallReply<typeof adminListUsers>["users"][number];

const stateFilters = {
  banned: { filterField: "banned", filterValue: "true", filterOperator: "eq" },
  unverified: { filterField: "emailVerified", filterValue: "false", filterOperator: "eq" },
  verified: { filterField: "emailVerified", filterValue: "true", filterOperator: "eq" },
} as const;

const filterOf = ({ state, role }: UsersSearch) => {
  if (state !== undefined) return stateFilters[state];
  if (role === undefined) return {};
  return { filterField: "role", filterValue: role, filterOperator: "has" } as const;
};

/** Queries the page of users that the address selects. */
export const useUsers = (search: UsersSearch) => {
  const { q, by = "email" } = search;
  return useQuery({
    ...operationQuery(adminListUsers, {
      query: {
        ...pageOf(search),
        ...(q !== undefined && { searchField: by, searchValue: q }),
        ...filterOf(search),
      },
    }),
    select: ({ users, ...totals }) => ({ rows: users, ...totals }),
    placeholderData: keepPreviousData,
  });
};
