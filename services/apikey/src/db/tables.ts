import type { KitTables, TakeOverTables, WrittenOnce } from "@latchkey/service-kit";
import type { JSONColumnType } from "kysely";

/** Maps resources to actions. */
export type KeyPermissions = Record<string, string[]>;

export interface ApiKeyTable {
  id: WrittenOnce<string>;
  name: string | null;
  /** The first characters of the key. */
  start: WrittenOnce<string | null>;
  prefix: WrittenOnce<string | null>;
  /** The lookup value: SHA-256 in base64url, or the key itself if hashing is disabled. Unique. */
  key: WrittenOnce<string>;
  userId: WrittenOnce<string>;
  /** In days. */
  refillInterval: number | null;
  refillAmount: number | null;
  lastRefillAt: Date | null;
  enabled: boolean;
  disabledByAdmin: boolean;
  /**
   * Whether a service or an admin made the key or set its lifetime, which its owner then cannot change. Null if an earlier version made the
   * key; in that case the audit log decides.
   */
  lifetimeLocked: boolean | null;
  rateLimitEnabled: boolean;
  /** In milliseconds. */
  rateLimitTimeWindow: number | null;
  rateLimitMax: number | null;
  requestCount: number;
  /** Null means no limit. */
  remaining: number | null;
  lastRequest: Date | null;
  expiresAt: Date | null;
  createdAt: WrittenOnce<Date>;
  updatedAt: Date;
  permissions: JSONColumnType<KeyPermissions | null, string | null, string | null>;
  /** JSON, as the application sent it. */
  metadata: string | null;
}

/** Records of users who are or were barred from keys. Rows are kept, so that events that arrive late change nothing. */
export interface OwnerTable {
  userId: WrittenOnce<string>;
  /** The user version at the time of the event. */
  revision: number;
  banned: boolean;
  /** When the ban expires. */
  bannedUntil: Date | null;
  /** When the user was deleted. */
  departedAt: Date | null;
  /** When the verified owner of the address claimed the user. Earlier keys and sessions are void. */
  claimedAt: Date | null;
}

/** Outcomes of verifications. Rows outlive their key. */
export interface KeyUsageTable {
  keyId: WrittenOnce<string>;
  /** A UTC date, `YYYY-MM-DD`. */
  day: WrittenOnce<string>;
  userId: WrittenOnce<string>;
  valid: number;
  rateLimited: number;
  exhausted: number;
  expired: number;
  disabled: number;
  forbidden: number;
}

/** Uses of all keys together. Rows stay when the counts per key are swept. */
export interface UsageTotalTable {
  /** A UTC date, `YYYY-MM-DD`. */
  day: WrittenOnce<string>;
  valid: number;
  /** Refusals of any kind. */
  refused: number;
}

export interface Tables extends KitTables, TakeOverTables {
  apiKey: ApiKeyTable;
  owner: OwnerTable;
  keyUsage: KeyUsageTable;
  usageTotal: UsageTotalTable;
}
