import type { ApiKey, OwnApiKey } from "@latchkey/contracts";
import { namesOf, picker, withoutColumns } from "@latchkey/service-kit";
import { type ApiKeyRow, rowColumns } from "./key-row.ts";

const decode = (value: unknown): unknown => {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return null;
  }
};

const pickShown = picker<ApiKey>(
  namesOf(
    withoutColumns(
      rowColumns,
      "createdBy",
      "disabledByAdmin",
      "lifetimeFrom",
      "lifetimeLocked",
      "organizationId",
      "successorId",
    ),
  ),
);

/** Returns a key as services and its owner see it. A key that an admin has disabled appears as disabled. */
export const showKey = (row: ApiKeyRow): ApiKey => {
  const key = pickShown(row);
  key.enabled = row.enabled && !row.disabledByAdmin;
  // Imported rows may hold JSON as a string within JSON.
  key.metadata = decode(decode(row.metadata));
  if (row.organizationId !== null) key.organizationId = row.organizationId;
  return key;
};

/** Returns a key for its owner, with its successor if it is retired. */
export const showOwnKey = (row: ApiKeyRow): OwnApiKey => {
  const { successorId } = row;
  return { ...showKey(row), ...(successorId !== null && { successorId }) };
};
