import { oneOf, searchOf, textParam } from "../../components/search-param.ts";
import { tableSearch } from "../../components/data-table/table-search.ts";

const id = textParam(255);

export const apiKeysSearch = searchOf({
  ...tableSearch,
  /** The field that `q` searches in. */
  by: oneOf("start", "prefix"),
  state: oneOf("enabled", "disabled", "expired"),
  /** Lists only the keys of this user. */
  userId: id,
  /** Lists only the keys of this organization. */
  organizationId: id,
  /** The open dialog. */
  do: oneOf("create"),
});

export type ApiKeysSearch = ReturnType<typeof apiKeysSearch>;
