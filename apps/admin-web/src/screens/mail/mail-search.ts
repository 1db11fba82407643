import * as z from "zod/mini";
import { searchParam, textParam } from "../../components/search-param.ts";
import { tableSearch } from "../../components/data-table/table-search.ts";

export const mailSearch = z.object({
  ...tableSearch,
  sort: searchParam(z.enum(["createdAt"])),
  state: searchParam(z.enum(["queued", "sending", "retrying", "sent", "captured", "failed"])),
  /** The mail in the open drawer. */
  id: textParam(255),
});

export type MailSearch = z.output<typeof mailSearch>;
