import type { ApiKey } from "@latchkey/contracts";
import type { ApiKeyRow } from "./key-row.ts";

const decode = (value: unknown): unknown => {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return null;
  }
};

/** Returns a key for its owner. A key that an admin has disabled appears as disabled. */
export const showKey = ({
  disabledByAdmin,
  lifetimeLocked: _,
  metadata,
  permissions,
  ...row
}: ApiKeyRow): ApiKey => ({
  ...row,
  enabled: row.enabled && !disabledByAdmin,
  permissions,
  // Imported rows may hold JSON as a string within JSON.
  metadata: decode(decode(metadata)),
});
