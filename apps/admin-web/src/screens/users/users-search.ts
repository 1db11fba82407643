import { nameParam, oneOf, searchOf } from "../../components/search-param.ts";
import { tableSearch } from "../../components/data-table/table-search.ts";

export const usersSearch = searchOf({
  ...tableSearch,
  state: oneOf("banned", "unverified", "verified", "second-factor", "no-second-factor"),
  role: nameParam(64),
  /** The open dialog. */
  do: oneOf("create", "invite"),
});

export type UsersSearch = ReturnType<typeof usersSearch>;
