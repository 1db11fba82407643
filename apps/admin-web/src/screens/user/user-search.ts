import { oneOf, searchOf } from "../../components/search-param.ts";
import { tableSearch } from "../../components/data-table/table-search.ts";

export const userTabs = [
  "overview",
  "profile",
  "sessions",
  "accounts",
  "passkeys",
  "organizations",
  "api-keys",
  "mails",
  "timeline",
  "json",
] as const;
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
  /** The open dialog. */
  do: oneOf(...userActions),
});

export type UserSearch = ReturnType<typeof userSearch>;
