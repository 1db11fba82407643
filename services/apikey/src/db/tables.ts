import type { KitTables, TakeOverTables, WrittenOnce } from "@latchkey/service-kit";
import type { JSONColumnType } from "kysely";

/** Resources to actions. */
export type KeyPermissions = Record<string, string[]>;

export interface ApiKeyTable {
  id: WrittenOnce<string>;
  name: string | null;
  /** The first characters of the key. */
  start: WrittenOnce<string | null>;
  prefix: WrittenOnce<string | null>;
  /** What it is found by: SHA-256 in base64url, or the key itself where the options say so. Unique. */
  key: WrittenOnce<string>;
  userId: WrittenOnce<string>;
  /** Days. */
  refillInterval: number | null;
  refillAmount: number | null;
  lastRefillAt: Date | null;
  enabled: boolean;
  disabledByAdmin: boolean;
  rateLimitEnabled: boolean;
  /** Milliseconds. */
  rateLimitTimeWindow: number | null;
  rateLimitMax: number | null;
  requestCount: number;
  /** Null is any number. */
  remaining: number | null;
  lastRequest: Date | null;
  expiresAt: Date | null;
  createdAt: WrittenOnce<Date>;
  updatedAt: Date;
  permissions: JSONColumnType<KeyPermissions | null, string | null, string | null>;
  /** JSON, as the application gave it. */
  metadata: string | null;
}

/** What is known of users who may not use keys, or could not once: kept, so that news that come late change nothing. */
export interface OwnerTable {
  userId: WrittenOnce<string>;
  /** Of the user when the news was made. */
  revision: number;
  banned: boolean;
  /** When the ban ends by itself. */
  bannedUntil: Date | null;
  /** When they ceased to exist. */
  departedAt: Date | null;
}

/** Outcomes of verifications. Rows outlive their key. */
export interface KeyUsageTable {
  keyId: WrittenOnce<string>;
  /** As `YYYY-MM-DD`, of UTC. */
  day: WrittenOnce<string>;
  userId: WrittenOnce<string>;
  valid: number;
  rateLimited: number;
  exhausted: number;
  expired: number;
  disabled: number;
  forbidden: number;
}

/** Uses of all keys together. Rows stay when those of keys are swept. */
export interface UsageTotalTable {
  /** As `YYYY-MM-DD`, of UTC. */
  day: WrittenOnce<string>;
  valid: number;
  /** Of any kind. */
  refused: number;
}

export interface Tables extends KitTables, TakeOverTables {
  apiKey: ApiKeyTable;
  owner: OwnerTable;
  keyUsage: KeyUsageTable;
  usageTotal: UsageTotalTable;
}
