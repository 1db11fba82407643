import { z } from "zod";
import { isDay } from "@latchkey/ui/components/day-range.ts";
import { tableSearch } from "../../components/data-table/table-search.ts";

const day = z.string().refine(isDay).optional().catch(undefined);
const text = z.string().max(255).optional().catch(undefined);

export const webhookSearch = z.object({
  ...tableSearch,
  tab: z.enum(["deliveries", "json"]).optional().catch(undefined),
  /** The days whose figures are shown, both inclusive. */
  from: day,
  to: day,
  /** The filters of the deliveries. */
  state: z.enum(["pending", "delivered", "failed"]).optional().catch(undefined),
  event: text,
  /** The delivery in the open drawer. */
  delivery: text,
});

export type WebhookSearch = z.output<typeof webhookSearch>;
