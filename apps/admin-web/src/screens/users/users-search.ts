import { z } from "zod";
import { tableSearch } from "../../components/data-table/table-search.ts";

export const usersSearch = z.object({
  ...tableSearch,
  /** The server filters by either state or role, so setting one clears the other. */
  state: z
    .enum(["banned", "unverified", "verified", "second-factor", "no-second-factor"])
    .optional()
    .catch(undefined),
  role: z.string().min(1).max(64).optional().catch(undefined),
  /** The open dialog. */
  do: z.enum(["create", "invite"]).optional().catch(undefined),
});

export type UsersSearch = z.output<typeof usersSearch>;
