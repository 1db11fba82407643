import type { ApiKey } from "@latchkey/contracts";
import type { ApiKeyRow } from "./key-row.ts";

/** A key as its owner sees it: one that an admin has disabled is disabled. */
export const showKey = ({ disabledByAdmin, metadata, permissions, ...row }: ApiKeyRow): ApiKey => ({
  ...row,
  enabled: row.enabled && !disabledByAdmin,
  permissions,
  metadata: metadata === null ? null : (JSON.parse(metadata) as unknown),
});
