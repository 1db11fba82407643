import { z } from "zod";
import { tableSearch } from "../../components/data-table/table-search.ts";

export const mailSearch = z.object({
  ...tableSearch,
  sort: z.enum(["createdAt"]).optional().catch(undefined),
  state: z
    .enum(["queued", "sending", "retrying", "sent", "captured", "failed"])
    .optional()
    .catch(undefined),
  /** The mail in the open drawer. */
  id: z.string().max(255).optional().catch(undefined),
});

export type MailSearch = z.output<typeof mailSearch>;
