import { operations } from "@latchkey/ui/api/contracts.ts";
import { lastDays } from "@latchkey/ui/components/day-range.ts";
import { type ListedRow, listOf } from "../../components/data-table/list-query.ts";
import { pageOf } from "../../components/data-table/page-of.ts";
import { newestFirst } from "../../components/data-table/table-search.ts";
import { userCsv } from "./user-csv.ts";
import type { UsersSearch } from "./users-search.ts";

const { adminListUsers } = operations.identity;

export type User = ListedRow<typeof adminListUsers, "users">;

const flagOf = <Value>(value: Value | undefined, good: Value) =>
  value === undefined ? undefined : (`${value === good}` as const);

const filterOf = ({ state, kind, email, role, factor, way, days }: UsersSearch) => ({
  isAnonymous: kind && ("true" as const),
  banned: flagOf(state, "banned"),
  emailVerified: flagOf(email, "verified"),
  hasSecondFactor: flagOf(factor, "on"),
  role,
  signsInWith: way,
  createdFrom: days === undefined ? undefined : lastDays(Number(days), new Date()).from,
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
      withLastSignIn: "true" as const,
    },
  }),
  fileName: "users",
  csv: userCsv([]),
});
