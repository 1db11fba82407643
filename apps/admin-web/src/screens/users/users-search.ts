import * as z from "zod/mini";
import { searchParam } from "../../components/search-param.ts";
import { tableSearch } from "../../components/data-table/table-search.ts";

export const usersSearch = z.object({
  ...tableSearch,
  /** The server filters by either state or role, so setting one clears the other. */
  state: searchParam(
    z.enum(["banned", "unverified", "verified", "second-factor", "no-second-factor"]),
  ),
  role: searchParam(z.string().check(z.minLength(1), z.maxLength(64))),
  /** The open dialog. */
  do: searchParam(z.enum(["create", "invite"])),
});

export type UsersSearch = z.output<typeof usersSearch>;
