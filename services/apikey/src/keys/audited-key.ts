import type { ApiKeyRow } from "./key-row.ts";

/** What the audit tells of some members of a key: of metadata, which may be anything, only that it changed. */
export const auditedKey = (
  row: ApiKeyRow,
  members: readonly (keyof ApiKeyRow)[],
): Record<string, unknown> =>
  Object.fromEntries(
    members.map((member) => [member, member === "metadata" ? "changed" : row[member]]),
  );
