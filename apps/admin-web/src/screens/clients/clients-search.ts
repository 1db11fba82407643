import { oneOf, searchOf } from "../../components/search-param.ts";
import { tableSearch } from "../../components/data-table/table-search.ts";

export const clientsSearch = searchOf({
  ...tableSearch,
  sort: oneOf("createdAt", "lastUsedAt"),
  state: oneOf("enabled", "disabled"),
  /** The open dialog. */
  do: oneOf("create"),
});

export type ClientsSearch = ReturnType<typeof clientsSearch>;
