import { useQuery } from "@tanstack/react-query";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { listQuery } from "../data-table/list-query.ts";
import { pageOf } from "../data-table/page-of.ts";
import { csvExport } from "../export/csv-export.ts";
import { readPages } from "../export/read-pages.ts";
import type { ApiKey } from "./api-key.ts";
import { keyCsv } from "./key-csv.ts";

const { adminListApiKeys } = operations.apikey;

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

/** Queries the page of keys that a search selects. */
export const useApiKeys = (search: KeyListSearch) =>
  useQuery(listQuery(adminListApiKeys, "apiKeys", inputOf(search)));

/** Exports all keys that a search selects. Nobody can read their secrets. */
export const exportedApiKeys = (search: KeyListSearch) =>
  csvExport<ApiKey>({
    name: "api-keys",
    pages: readPages(adminListApiKeys, "apiKeys", inputOf(search)),
    columns: keyCsv,
  });
