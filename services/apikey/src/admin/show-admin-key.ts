import type { OperationReply, operations } from "@latchkey/contracts";
import type { ApiKeyRow } from "../keys/key-row.ts";
import { showKey } from "../keys/show-key.ts";

/** A key as admins see it. */
export const showAdminKey = (
  row: ApiKeyRow,
): OperationReply<typeof operations.apikey.adminDisableApiKey> => ({
  ...showKey(row),
  disabledByAdmin: row.disabledByAdmin,
});
