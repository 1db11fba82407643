import type { OperationReply, operations } from "@latchkey/contracts";
import type { ApiKeyRow } from "../keys/key-row.ts";
import type { Owners } from "./find-owners.ts";
import { showKey } from "../keys/show-key.ts";

/** Returns a key for admins. */
export const showAdminKey = (
  row: ApiKeyRow,
): OperationReply<typeof operations.apikey.adminDisableApiKey> => ({
  ...showKey(row),
  disabledByAdmin: row.disabledByAdmin,
  successorId: row.successorId,
});

/** Returns a key for admins with its owner, which is null if it was deleted. */
export const showOwnedKey = (
  row: ApiKeyRow,
  { users, organizations }: Owners,
): OperationReply<typeof operations.apikey.adminGetApiKey> => ({
  ...showAdminKey(row),
  user: (row.userId !== null && users.get(row.userId)) || null,
  organization: (row.organizationId !== null && organizations.get(row.organizationId)) || null,
});
