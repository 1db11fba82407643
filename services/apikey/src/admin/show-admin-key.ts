import type { OperationReply, operations, UserSummary } from "@latchkey/contracts";
import type { ApiKeyRow } from "../keys/key-row.ts";
import { showKey } from "../keys/show-key.ts";

/** Returns a key for admins. */
export const showAdminKey = (
  row: ApiKeyRow,
): OperationReply<typeof operations.apikey.adminDisableApiKey> => ({
  ...showKey(row),
  disabledByAdmin: row.disabledByAdmin,
  successorId: row.successorId,
});

/** Returns a key for admins with its owner, or null for a deleted owner. */
export const showOwnedKey = (
  row: ApiKeyRow,
  owners: ReadonlyMap<string, UserSummary>,
): OperationReply<typeof operations.apikey.adminGetApiKey> => ({
  ...showAdminKey(row),
  user: owners.get(row.userId) ?? null,
});
