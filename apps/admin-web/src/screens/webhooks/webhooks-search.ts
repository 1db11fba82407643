import * as z from "zod/mini";
import { searchParam, textParam } from "../../components/search-param.ts";
import { tableSearch } from "../../components/data-table/table-search.ts";

export const webhooksSearch = z.object({
  ...tableSearch,
  state: searchParam(z.enum(["active", "paused", "disabled"])),
  /** Lists only the webhooks of this organization. */
  organizationId: textParam(255),
  /** The open dialog. */
  do: searchParam(z.literal("create")),
});

export type WebhooksSearch = z.output<typeof webhooksSearch>;
