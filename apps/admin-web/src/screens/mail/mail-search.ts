import { oneOf, searchOf, textParam } from "../../components/search-param.ts";
import { tableSearch } from "../../components/data-table/table-search.ts";

export const mailSearch = searchOf({
  ...tableSearch,
  sort: oneOf("createdAt"),
  state: oneOf("queued", "sending", "retrying", "sent", "captured", "failed"),
  /** The mail in the open drawer. */
  id: textParam(255),
});

export type MailSearch = ReturnType<typeof mailSearch>;
