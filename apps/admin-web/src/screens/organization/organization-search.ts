import * as z from "zod/mini";
import { searchParam } from "../../components/search-param.ts";
import { tableSearch } from "../../components/data-table/table-search.ts";

export const organizationTabs = [
  "members",
  "invitations",
  "teams",
  "api-keys",
  "settings",
  "json",
] as const;

export const organizationSearch = z.object({
  ...tableSearch,
  /** Lists only the members with this role. */
  role: searchParam(z.string().check(z.minLength(1), z.maxLength(64))),
  tab: searchParam(z.enum(organizationTabs)),
});

export type OrganizationSearch = z.output<typeof organizationSearch>;
