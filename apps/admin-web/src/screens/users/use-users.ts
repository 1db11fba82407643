import { useQuery } from "@tanstack/react-query";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { type ListedRow, listQuery } from "../../components/data-table/list-query.ts";
import { pageOf } from "../../components/data-table/table-search.ts";
import { csvExport } from "../../components/export/csv-export.ts";
import { readPages } from "../../components/export/read-pages.ts";
import type { EditableField } from "../../components/users/field-text.ts";
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

const filterOf = ({ state, role }: UsersSearch) => {
  if (state !== undefined) return stateFilters[state];
  if (role === undefined) return {};
  return { filterField: "role", filterValue: role, filterOperator: "has" } as const;
};

const inputOf = (search: UsersSearch) => ({
  query: {
    ...pageOf(search),
    ...(search.q !== undefined && { searchField: "any" as const, searchValue: search.q }),
    ...filterOf(search),
  },
});

/** Queries the page of users that the address selects. */
export const useUsers = (search: UsersSearch) =>
  useQuery(listQuery(adminListUsers, "users", inputOf(search)));

/** Exports all users that the address selects, with these additional fields. */
export const exportedUsers = (search: UsersSearch, fields: readonly EditableField[]) =>
  csvExport<User>({
    name: "users",
    pages: readPages(adminListUsers, "users", inputOf(search)),
    columns: userCsv(fields),
  });
