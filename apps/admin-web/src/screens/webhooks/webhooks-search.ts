import { oneOf, searchOf, textParam } from "../../components/search-param.ts";
import { tableSearch } from "../../components/data-table/table-search.ts";

export const webhooksSearch = searchOf({
  ...tableSearch,
  /** By condition, those that need attention come first. */
  sort: oneOf("condition", "createdAt"),
  state: oneOf("active", "paused", "disabled"),
  /** Lists only the webhooks of this organization. */
  organizationId: textParam(255),
  /** The open dialog. */
  do: oneOf("create"),
});

export type WebhooksSearch = ReturnType<typeof webhooksSearch>;
