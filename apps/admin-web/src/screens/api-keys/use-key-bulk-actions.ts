import { useAccess } from "../../access/use-access.ts";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import type { BulkAction } from "../../components/data-table/data-table-props.ts";
import type { ApiKey } from "../../components/api-keys/api-key.ts";

const { adminDisableApiKey, adminEnableApiKey, adminDeleteApiKey } = operations.apikey;

const disabling: BulkAction<ApiKey>[] = [
  {
    label: "Disable",
    consequence: "The keys stop working immediately. Only an admin can enable them again.",
    run: ({ id }) => call(adminDisableApiKey, { params: { id } }),
  },
  {
    label: "Enable",
    consequence: "The keys work again, within their limits.",
    run: ({ id }) => call(adminEnableApiKey, { params: { id } }),
  },
];

const remove: BulkAction<ApiKey> = {
  label: "Delete",
  isDangerous: true,
  consequence: "The keys stop working immediately. This cannot be undone.",
  typed: "delete",
  run: ({ id }) => call(adminDeleteApiKey, { params: { id } }),
};

/** Returns the actions that this admin may take on several keys at once. */
export const useKeyBulkActions = (): BulkAction<ApiKey>[] => {
  const { may } = useAccess();
  return [...(may("apiKey:update") ? disabling : []), ...(may("apiKey:delete") ? [remove] : [])];
};
