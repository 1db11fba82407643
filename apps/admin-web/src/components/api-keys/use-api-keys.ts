import { useQuery } from "@tanstack/react-query";
import { operations } from "../../api/contracts.ts";
import { type ListedRow, listQuery } from "../data-table/list-query.ts";
import { pageOf } from "../data-table/table-search.ts";

const { adminListApiKeys } = operations.apikey;

export type ApiKey = ListedRow<typeof adminListApiKeys, "apiKeys">;

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

/** Queries the page of keys that a search selects. */
export const useApiKeys = ({ q, by = "start", state, dir, cursor, ...owner }: KeyListSearch) =>
  useQuery(
    listQuery(adminListApiKeys, "apiKeys", {
      query: {
        ...pageOf({ dir, cursor }),
        ...(q !== undefined && { [by]: q }),
        ...(state !== undefined && { state }),
        ...(owner.userId !== undefined && { userId: owner.userId }),
        ...(owner.organizationId !== undefined && { organizationId: owner.organizationId }),
      },
    }),
  );
