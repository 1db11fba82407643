import { z } from "zod";
import { tableSearch } from "../../components/data-table/table-search.ts";

export const settingsSearch = z.object({
  q: tableSearch.q,
  source: z.enum(["default", "file", "environment"]).optional().catch(undefined),
  tab: z.enum(["redirects", "rate-limits"]).optional().catch(undefined),
  /** The option in the open drawer. */
  option: z.string().max(255).optional().catch(undefined),
});

export type SettingsSearch = z.output<typeof settingsSearch>;
