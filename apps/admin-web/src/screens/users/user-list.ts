import { operations } from "@latchkey/ui/api/contracts.ts";
import { type ListedRow, listOf } from "../../components/data-table/list-query.ts";
import { pageOf } from "../../components/data-table/page-of.ts";
import { newestFirst } from "../../components/data-table/table-search.ts";
import { userCsv } from "./user-csv.ts";
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

const filterOf = ({ state, role }: UsersSearch) => ({
  ...(state !== undefined && stateFilters[state]),
  ...(role !== undefined && { role }),
});

/** The users that the address selects. */
export const userList = listOf({
  operation: adminListUsers,
  member: "users",
  inputOf: (search: UsersSearch) => ({
    query: {
      ...pageOf(newestFirst(search)),
      ...(search.q !== undefined && { searchField: "any" as const, searchValue: search.q }),
      ...filterOf(search),
    },
  }),
  fileName: "users",
  csv: userCsv([]),
});
