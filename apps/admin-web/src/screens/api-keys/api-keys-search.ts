import { z } from "zod";
import { tableSearch } from "../../components/data-table/table-search.ts";

const id = z.string().max(255).optional().catch(undefined);

export const apiKeysSearch = z.object({
  ...tableSearch,
  /** What `q` is looked for in. */
  by: z.enum(["start", "prefix"]).optional().catch(undefined),
  state: z.enum(["enabled", "disabled", "expired"]).optional().catch(undefined),
  /** Whose keys. */
  userId: id,
  /** The dialog that is open. */
  do: z.literal("create").optional().catch(undefined),
});

export type ApiKeysSearch = z.output<typeof apiKeysSearch>;
