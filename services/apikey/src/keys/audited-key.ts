import type { ApiKeyRow } from "./key-row.ts";

/** The fields that the audit records of a new key. */
export const auditedMembers = [
  "userId",
  "organizationId",
  "name",
  "prefix",
  "expiresAt",
  "remaining",
  "refillAmount",
  "refillInterval",
  "rateLimitEnabled",
  "rateLimitMax",
  "rateLimitTimeWindow",
  "permissions",
] as const satisfies readonly (keyof ApiKeyRow)[];

/** Returns the fields of a key for the audit. Metadata may hold anything, so the audit records only that it changed. */
export const auditedKey = (
  row: ApiKeyRow,
  members: readonly (keyof ApiKeyRow)[],
): Record<string, unknown> =>
  Object.fromEntries(
    members.map((member) => [member, member === "metadata" ? "changed" : row[member]]),
  );
