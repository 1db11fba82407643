import * as z from "zod/mini";
import { searchParam, textParam } from "../../components/search-param.ts";
import { tableSearch } from "../../components/data-table/table-search.ts";

export const settingsSearch = z.object({
  q: tableSearch.q,
  source: searchParam(z.enum(["default", "file", "environment"])),
  tab: searchParam(z.enum(["redirects", "rate-limits"])),
  /** The option in the open drawer. */
  option: textParam(255),
});

export type SettingsSearch = z.output<typeof settingsSearch>;
