import type { Selectable } from "kysely";
import type { ApiKeyTable } from "../db/tables.ts";

/** A key as it is stored, without what it is found by. */
export type ApiKeyRow = Omit<Selectable<ApiKeyTable>, "key">;

/** Its columns. */
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
