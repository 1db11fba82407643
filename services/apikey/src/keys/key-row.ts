import type { Selectable } from "kysely";
import type { ApiKeyTable } from "../db/tables.ts";

/** A key's row without its lookup value. */
export type ApiKeyRow = Omit<Selectable<ApiKeyTable>, "key">;

export const keyColumns = [
  "id",
  "name",
  "start",
  "prefix",
  "userId",
  "refillInterval",
  "refillAmount",
  "lastRefillAt",
  "enabled",
  "disabledByAdmin",
  "lifetimeLocked",
  "rateLimitEnabled",
  "rateLimitTimeWindow",
  "rateLimitMax",
  "requestCount",
  "remaining",
  "lastRequest",
  "expiresAt",
  "createdAt",
  "updatedAt",
  "permissions",
  "metadata",
] as const satisfies readonly (keyof ApiKeyRow)[];
