import type { KeySecondFactor } from "@latchkey/contracts";
import {
  columnTypes,
  type FeedingTables,
  nullable,
  type TableOf,
  type WrittenOnce,
  writtenOnce,
} from "@latchkey/service-kit/database";
import type { ImportTables } from "@latchkey/service-kit/import";
import type { MergeTables } from "@latchkey/service-kit/merges";
import type { ColumnType } from "kysely";

/** The schema that this service owns. */
export const schema = "apikey";

const { bigint, boolean, integer, json, text, textOf, time } = columnTypes;

/** Maps resources to actions. */
type KeyPermissions = Record<string, string[]>;

export const apiKeyColumns = {
  id: writtenOnce(text),
  name: nullable(text),
  /** The first characters of the key. */
  start: writtenOnce(nullable(text)),
  prefix: writtenOnce(nullable(text)),
  /** The lookup value: SHA-256 in base64url, or the key itself if hashing is disabled. Unique. */
  key: writtenOnce(text),
  /** The owner. Null if an organization owns the key. */
  userId: writtenOnce(nullable(text)),
  /** The organization that owns the key. Null if a user does. */
  organizationId: writtenOnce(nullable(text)),
  /** The member who created or re-rolled a key of an organization and saw its text. Null for any other key, and for a deleted user. */
  createdBy: nullable(text),
  /** In days. */
  refillInterval: nullable(integer),
  refillAmount: nullable(integer),
  lastRefillAt: nullable(time),
  enabled: boolean,
  disabledByAdmin: boolean,
  /** The second factor that the session of the creator had shown. Null if a service or an earlier version made the key. */
  secondFactor: writtenOnce(nullable(textOf<Exclude<KeySecondFactor, null>>())),
  /** When the session of the creator began. Null if a service, an admin or an earlier version made the key. */
  sessionSince: writtenOnce(nullable(time)),
  /** The key that replaced this one by a re-roll. This one uses the limits of its successor, and ends when it expires. */
  successorId: nullable(text),
  /**
   * Whether a service or an admin made the key or set its lifetime, which its owner then cannot change. Null if an earlier version made the
   * key; in that case the audit log decides.
   */
  lifetimeLocked: nullable(boolean),
  /** When the first of several re-rolled keys was created. The owner's maximum lifetime counts from it. Null for a key without predecessor. */
  lifetimeFrom: writtenOnce(nullable(time)),
  rateLimitEnabled: boolean,
  /** In milliseconds. */
  rateLimitTimeWindow: nullable(bigint),
  rateLimitMax: nullable(integer),
  requestCount: bigint,
  /** Null means no limit. */
  remaining: nullable(integer),
  lastRequest: nullable(time),
  expiresAt: nullable(time),
  createdAt: writtenOnce(time),
  updatedAt: time,
  permissions: nullable(json<KeyPermissions>()),
  /** JSON, as the application sent it. */
  metadata: nullable(text),
};

export interface ApiKeyTable extends TableOf<typeof apiKeyColumns> {
  /** When a merge of users, or its undo, gave the key its owner or its creator. Null if it has them since its creation. */
  ownerSince: ColumnType<Date | null, null | undefined, Date>;
}

/** Records of users who are or were barred from keys. Rows are kept, so that events that arrive late change nothing. */
export interface OwnerTable {
  userId: WrittenOnce<string>;
  /** The user revision at the time of the event. */
  revision: number;
  banned: boolean;
  /** When the ban expires. */
  bannedUntil: Date | null;
  /** When the user was deleted. */
  departedAt: Date | null;
  /** When the verified owner of the address claimed the user. Earlier keys and sessions are void. */
  claimedAt: Date | null;
  /** When an admin last secured the user. Keys from before are disabled once, and sessions from before create none. */
  securedAt: Date | null;
  /** A new password of the user has ended the sessions that began before, which create no keys any more. */
  sessionsEndedAt: Date | null;
  /** When a new password last ended the keys that could stand for a session. Null if an earlier version recorded that. */
  keySessionsEndedAt: Date | null;
}

/** Recently deleted organizations, which get no keys. */
interface DepartedOrganizationTable {
  organizationId: WrittenOnce<string>;
  departedAt: WrittenOnce<Date>;
}

/** Outcomes of verifications. Rows outlive their key. */
export interface KeyUsageTable {
  keyId: WrittenOnce<string>;
  /** A UTC date, `YYYY-MM-DD`. */
  day: WrittenOnce<string>;
  userId: WrittenOnce<string | null>;
  organizationId: WrittenOnce<string | null>;
  valid: number;
  rateLimited: number;
  exhausted: number;
  expired: number;
  disabled: number;
  forbidden: number;
}

/** Uses of all keys together. Rows stay when the counts per key are swept. */
interface UsageTotalTable {
  /** A UTC date, `YYYY-MM-DD`. */
  day: WrittenOnce<string>;
  valid: number;
  /** Refusals of any kind. */
  refused: number;
}

/** Mails about new keys that were sent to a user on a day. */
interface NewKeyMailTable {
  userId: WrittenOnce<string>;
  /** A UTC date, `YYYY-MM-DD`. */
  day: WrittenOnce<string>;
  count: number;
}

export interface Tables extends FeedingTables, ImportTables, MergeTables {
  apiKey: ApiKeyTable;
  newKeyMail: NewKeyMailTable;
  owner: OwnerTable;
  departedOrganization: DepartedOrganizationTable;
  keyUsage: KeyUsageTable;
  usageTotal: UsageTotalTable;
}
