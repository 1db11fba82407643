import { nameParam, oneOf, searchOf } from "../../components/search-param.ts";
import { tableSearch } from "../../components/data-table/table-search.ts";

export const userTabs = ["overview", "security", "access", "activity", "raw"] as const;
export type UserTab = (typeof userTabs)[number];

/** The actions on a user. Each is a dialog that the address opens. */
export const userActions = [
  "impersonate",
  "roles",
  "password",
  "reset",
  "reset-second-factor",
  "send-verification",
  "resend-invitation",
  "verify",
  "sign-out",
  "secure",
  "ban",
  "unban",
  "delete",
] as const;
export type UserAction = (typeof userActions)[number];

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
