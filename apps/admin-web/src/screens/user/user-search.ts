import { nameParam, oneOf, searchOf } from "../../components/search-param.ts";
import { tableSearch } from "../../components/data-table/table-search.ts";
import { userActions } from "../../components/users/user-actions.ts";

export const userTabs = ["overview", "security", "access", "activity", "raw"] as const;
export type UserTab = (typeof userTabs)[number];

export const userSearch = searchOf({
  ...tableSearch,
  tab: oneOf(...userTabs),
  /** The open form, which takes the place of the overview. */
  edit: oneOf("profile"),
  /** The id of the user with whom this one is compared in a dialog. */
  compare: nameParam(255),
  /** The open dialog. */
  do: oneOf(...userActions),
});

export type UserSearch = ReturnType<typeof userSearch>;
