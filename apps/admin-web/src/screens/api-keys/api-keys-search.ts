import * as z from "zod/mini";
import { searchParam, textParam } from "../../components/search-param.ts";
import { tableSearch } from "../../components/data-table/table-search.ts";

const id = textParam(255);

export const apiKeysSearch = z.object({
  ...tableSearch,
  /** The field that `q` searches in. */
  by: searchParam(z.enum(["start", "prefix"])),
  state: searchParam(z.enum(["enabled", "disabled", "expired"])),
  /** Lists only the keys of this user. */
  userId: id,
  /** Lists only the keys of this organization. */
  organizationId: id,
  /** The open dialog. */
  do: searchParam(z.literal("create")),
});

export type ApiKeysSearch = z.output<typeof apiKeysSearch>;
