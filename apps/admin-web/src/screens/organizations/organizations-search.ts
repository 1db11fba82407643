import { oneOf, searchOf } from "../../components/search-param.ts";
import { tableSearch } from "../../components/data-table/table-search.ts";

export const organizationsSearch = searchOf({
  ...tableSearch,
  sort: oneOf("createdAt", "name", "slug"),
  /** The open dialog. */
  do: oneOf("create"),
});

export type OrganizationsSearch = ReturnType<typeof organizationsSearch>;
