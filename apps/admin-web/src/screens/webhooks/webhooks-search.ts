import { z } from "zod";
import { tableSearch } from "../../components/data-table/table-search.ts";

export const webhooksSearch = z.object({
  ...tableSearch,
  state: z.enum(["active", "paused", "disabled"]).optional().catch(undefined),
  /** Lists only the webhooks of this organization. */
  organizationId: z.string().max(255).optional().catch(undefined),
  /** The open dialog. */
  do: z.literal("create").optional().catch(undefined),
});

export type WebhooksSearch = z.output<typeof webhooksSearch>;
