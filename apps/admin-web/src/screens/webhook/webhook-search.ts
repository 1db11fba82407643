import { oneOf, searchOf, textParam, textThat } from "../../components/search-param.ts";
import { isDay } from "@latchkey/ui/components/day-range.ts";
import { tableSearch } from "../../components/data-table/table-search.ts";

const day = textThat(isDay);
const text = textParam(255);

export const webhookSearch = searchOf({
  ...tableSearch,
  tab: oneOf("deliveries", "json"),
  /** The days whose figures are shown, both inclusive. */
  from: day,
  to: day,
  /** The filters of the deliveries. */
  state: oneOf("pending", "delivered", "failed"),
  event: text,
  /** The delivery in the open drawer. */
  delivery: text,
});

export type WebhookSearch = ReturnType<typeof webhookSearch>;
