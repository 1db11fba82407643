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

/** A key as its owner sees it: one that an admin has disabled is disabled. */
export const showKey = ({ disabledByAdmin, metadata, permissions, ...row }: ApiKeyRow): ApiKey => ({
  ...row,
  enabled: row.enabled && !disabledByAdmin,
  permissions,
  // Rows that were carried over may hold JSON as a text within JSON.
  metadata: decode(decode(metadata)),
});
