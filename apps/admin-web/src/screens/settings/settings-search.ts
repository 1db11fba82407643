import { oneOf, searchOf, textParam } from "../../components/search-param.ts";
import { tableSearch } from "../../components/data-table/table-search.ts";

export const settingsSearch = searchOf({
  q: tableSearch.q,
  source: oneOf("default", "file", "environment"),
  changed: oneOf("1"),
  tab: oneOf("redirects", "rate-limits"),
  /** The option in the open drawer. */
  option: textParam(255),
});

export type SettingsSearch = ReturnType<typeof settingsSearch>;
