import { z } from "zod";
import { tableSearch } from "../../components/data-table/table-search.ts";

const { cursor } = tableSearch;

export const queuesSearch = z.object({
  cursor,
  /** The queue whose failed messages are shown. */
  queue: z.string().max(64).optional().catch(undefined),
  /** The message in the open drawer. */
  id: z.string().max(255).optional().catch(undefined),
});
