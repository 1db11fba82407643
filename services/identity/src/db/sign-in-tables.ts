import type { RefusalReason } from "@latchkey/contracts";
import type { WrittenOnce } from "@latchkey/service-kit/database";
import type { ColumnType } from "kysely";

/** The activity counts of a day. */
export interface DailyCountTable {
  /** As `YYYY-MM-DD` in UTC. */
  day: WrittenOnce<string>;
  signUps: number;
  signIns: number;
  /** Refused sign-ins of all users. */
  signInsFailed: number;
  /** Users who signed in, or whose session was extended. */
  activeUsers: number;
}

/** Sign-ins of a UTC day by one method. */
export interface DailyMethodCountTable {
  day: string;
  method: string;
  signIns: number;
}

/** The refused sign-ins of a day for one reason. */
export interface DailyRefusalCountTable {
  /** As `YYYY-MM-DD` in UTC. */
  day: string;
  reason: RefusalReason;
  refusals: number;
}

/** The users who were counted as active on a day. Deleted once the day's counts are final. */
export interface ActiveUserTable {
  /** As `YYYY-MM-DD` in UTC. */
  day: WrittenOnce<string>;
  userId: WrittenOnce<string>;
}

/** Refused sign-ins of a user on a UTC day, from one address and for one reason. */
export interface RefusedSignInTable {
  id: ColumnType<number, never, never>;
  userId: string;
  day: string;
  /** Empty for all addresses beyond those that a user and day may name. */
  ipAddress: string;
  reason: RefusalReason;
  count: number;
  firstAt: Date;
  lastAt: Date;
}

/** The last sign-in of a user. */
export interface LastSignInTable {
  userId: string;
  signedInAt: Date;
  /** Names of methods, separated by commas. */
  methods: string;
  ipAddress: string;
  userAgent: string;
}

/** A browser in which a user has signed in. */
export interface KnownBrowserTable {
  userId: WrittenOnce<string>;
  /** SHA-256 of the value in its cookie. */
  browserHash: WrittenOnce<Buffer>;
  createdAt: WrittenOnce<Date>;
  lastSeenAt: Date;
}
