import * as z from "zod/mini";
import { searchParam, textParam } from "../../components/search-param.ts";
import { isDay } from "@latchkey/ui/components/day-range.ts";
import { tableSearch } from "../../components/data-table/table-search.ts";

const day = searchParam(z.string().check(z.refine(isDay)));
const text = textParam(255);

export const webhookSearch = z.object({
  ...tableSearch,
  tab: searchParam(z.enum(["deliveries", "json"])),
  /** The days whose figures are shown, both inclusive. */
  from: day,
  to: day,
  /** The filters of the deliveries. */
  state: searchParam(z.enum(["pending", "delivered", "failed"])),
  event: text,
  /** The delivery in the open drawer. */
  delivery: text,
});

export type WebhookSearch = z.output<typeof webhookSearch>;
