import { z } from "zod";
import { tableSearch } from "../../components/data-table/table-search.ts";

export const usersSearch = z.object({
  ...tableSearch,
  /** What `q` is looked for in. */
  by: z.enum(["email", "name"]).optional().catch(undefined),
  /** The server filters by one thing at a time: a state lifts the role, and the other way round. */
  state: z.enum(["banned", "unverified", "verified"]).optional().catch(undefined),
  role: z.string().min(1).max(64).optional().catch(undefined),
  /** The dialog that is open. */
  do: z.enum(["create"]).optional().catch(undefined),
});

export type UsersSearch = z.output<typeof usersSearch>;
