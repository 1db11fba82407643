import { searchOf, textParam } from "../../components/search-param.ts";
import { tableSearch } from "../../components/data-table/table-search.ts";

const text = textParam(255);

export const eventsSearch = searchOf({
  cursor: tableSearch.cursor,
  type: text,
  /** Lists only the events about this user. */
  userId: text,
  /** Lists only the events about this organization. */
  organizationId: text,
  /** The event in the open drawer. */
  event: text,
});

export type EventsSearch = ReturnType<typeof eventsSearch>;
