import { operations } from "@latchkey/ui/api/contracts.ts";
import { listOf } from "../data-table/list-query.ts";
import { pageOf } from "../data-table/page-of.ts";
import { keyCsv } from "./key-csv.ts";

interface KeyListSearch {
  q?: string | undefined;
  /** The field that `q` searches in. */
  by?: "start" | "prefix" | undefined;
  state?: "enabled" | "disabled" | "expired" | undefined;
  /** Lists only the keys of this user. */
  userId?: string | undefined;
  /** Lists only the keys of this organization. */
  organizationId?: string | undefined;
  dir?: "asc" | "desc" | undefined;
  cursor?: string | undefined;
}

const inputOf = ({ q, by = "start", state, dir, cursor, ...owner }: KeyListSearch) => ({
  query: {
    ...pageOf({ dir, cursor }),
    ...(q !== undefined && { [by]: q }),
    ...(state !== undefined && { state }),
    ...(owner.userId !== undefined && { userId: owner.userId }),
    ...(owner.organizationId !== undefined && { organizationId: owner.organizationId }),
  },
});

/** The keys that a search selects. Nobody can read their secrets. */
export const apiKeyList = listOf({
  operation: operations.apikey.adminListApiKeys,
  member: "apiKeys",
  inputOf,
  fileName: "api-keys",
  csv: keyCsv,
});
