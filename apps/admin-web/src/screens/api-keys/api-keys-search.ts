import { z } from "zod";
import { tableSearch } from "../../components/data-table/table-search.ts";

const id = z.string().max(255).optional().catch(undefined);

export const apiKeysSearch = z.object({
  ...tableSearch,
  /** The field that `q` searches in. */
  by: z.enum(["start", "prefix"]).optional().catch(undefined),
  state: z.enum(["enabled", "disabled", "expired"]).optional().catch(undefined),
  /** Lists only the keys of this user. */
  userId: id,
  /** Lists only the keys of this organization. */
  organizationId: id,
  /** The open dialog. */
  do: z.literal("create").optional().catch(undefined),
});

export type ApiKeysSearch = z.output<typeof apiKeysSearch>;
