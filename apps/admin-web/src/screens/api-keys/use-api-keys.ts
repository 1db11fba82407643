import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { CallReply } from "../../api/call.ts";
import { operations } from "../../api/contracts.ts";
import { operationQuery } from "../../api/operation-query.ts";
import { pageOf } from "../../components/data-table/table-search.ts";
import type { ApiKeysSearch } from "./api-keys-search.ts";

const { adminListApiKeys } = operations.apikey;

export type ApiKey = CallReply<typeof adminListApiKeys>["apiKeys"][number];

/** The page of keys that an address asks for. */
export const useApiKeys = ({ q, by = "start", state, userId, dir, cursor }: ApiKeysSearch) =>
  useQuery({
    ...operationQuery(adminListApiKeys, {
      query: {
        ...pageOf({ dir, cursor }),
        ...(q !== undefined && { [by]: q }),
        ...(state !== undefined && { state }),
        ...(userId !== undefined && { userId }),
      },
    }),
    select: ({ apiKeys, ...totals }) => ({ rows: apiKeys, ...totals }),
    placeholderData: keepPreviousData,
  });
