import { tableSearch } from "../../components/data-table/table-search.ts";
import { nameParam, oneOf, searchOf } from "../../components/search-param.ts";

export const usersSearch = searchOf({
  ...tableSearch,
  state: oneOf("banned", "active"),
  /** Guests, who are otherwise left out. */
  kind: oneOf("guests"),
  email: oneOf("verified", "unverified"),
  role: nameParam(64),
  /** Whether they have a second factor. */
  factor: oneOf("on", "off"),
  /** A way in: `password`, `passkey` or a provider. */
  way: nameParam(64),
  /** The days since the sign-up, today included. */
  days: oneOf("1", "7", "30", "90"),
  /** The user who is shown beside the list. */
  preview: nameParam(255),
  /** The open dialog. */
  do: oneOf("create", "invite"),
});

export type UsersSearch = ReturnType<typeof usersSearch>;

export const noFilters = {
  state: undefined,
  kind: undefined,
  email: undefined,
  role: undefined,
  factor: undefined,
  way: undefined,
  days: undefined,
} satisfies UsersSearch;

/** Whether a filter is set. */
export const isFiltered = (search: UsersSearch): boolean =>
  Object.keys(noFilters).some((name) => search[name as keyof typeof noFilters] !== undefined);
