import { nameParam, oneOf, searchOf } from "../../components/search-param.ts";
import { tableSearch } from "../../components/data-table/table-search.ts";

export const organizationTabs = [
  "members",
  "invitations",
  "teams",
  "roles",
  "api-keys",
  "settings",
  "json",
] as const;

export const organizationSearch = searchOf({
  ...tableSearch,
  /** Lists only the members with this role. */
  role: nameParam(64),
  tab: oneOf(...organizationTabs),
});

export type OrganizationSearch = ReturnType<typeof organizationSearch>;
