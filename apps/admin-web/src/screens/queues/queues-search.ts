import { searchOf, textParam } from "../../components/search-param.ts";
import { tableSearch } from "../../components/data-table/table-search.ts";

const { cursor } = tableSearch;

export const queuesSearch = searchOf({
  cursor,
  /** The queue whose failed messages are shown. */
  queue: textParam(64),
  /** The message in the open drawer. */
  id: textParam(255),
});
