import type { OperationReply, operations, UserSummary } from "@latchkey/contracts";
import type { ApiKeyRow } from "../keys/key-row.ts";
import { showKey } from "../keys/show-key.ts";

/** A key as admins see it. */
export const showAdminKey = (
  row: ApiKeyRow,
): OperationReply<typeof operations.apikey.adminDisableApiKey> => ({
  ...showKey(row),
  disabledByAdmin: row.disabledByAdmin,
});

/** The same with its owner, if there still is one. */
export const showOwnedKey = (
  row: ApiKeyRow,
  owners: ReadonlyMap<string, UserSummary>,
): OperationReply<typeof operations.apikey.adminGetApiKey> => ({
  ...showAdminKey(row),
  user: owners.get(row.userId) ?? null,
});
