import {
  columnTypes,
  nullable,
  type TableOf,
  withInitial,
  type WrittenOnce,
  writtenOnce,
} from "@latchkey/service-kit/database";
import type { ColumnType } from "kysely";

const { bigint, boolean, bytes, integer, text, textOf, time } = columnTypes;

/** The second factor of a user, and the wrong codes in a row. A row may exist while the second factor is off. */
export const twoFactorRowColumns = {
  userId: writtenOnce(text),
  /** The sealed secret of the confirmed authenticator app. Null if there is none. */
  secretSealed: nullable(text),
  /** The name of the secret that sealed it, so that it can be sealed again after a rotation. */
  sealedBy: nullable(text),
  /** The issuer in the URI of the app. */
  issuer: nullable(text),
  /** A prepared app that counts for nothing until its first code. */
  pendingSealed: nullable(text),
  pendingIssuer: nullable(text),
  pendingExpiresAt: nullable(time),
  /** The time step of the last accepted code. None is accepted twice. */
  lastStep: withInitial(bigint, -1),
  /** Wrong codes in a row, over all sign-ins and sessions. */
  failedCount: withInitial(integer, 0),
  lockedUntil: nullable(time),
  /** When the user was last mailed about a lock. */
  lockNotifiedAt: nullable(time),
  /** When the password was last reset by mail. */
  passwordResetAt: nullable(time),
  enabledAt: nullable(time),
};

export type TwoFactorTable = TableOf<typeof twoFactorRowColumns>;

/** A backup code. Deleted by its use. */
export interface BackupCodeTable {
  id: WrittenOnce<string>;
  userId: WrittenOnce<string>;
  /** A salted hash of the code, sealed. */
  codeSealed: string;
  /** The name of the secret that sealed it. */
  sealedBy: string;
  /** Belongs to a prepared app that is not confirmed yet. */
  isPending: ColumnType<boolean, boolean | undefined, boolean>;
  /** Upper and lower case differ. True for imported codes. */
  isCaseSensitive: WrittenOnce<boolean>;
  createdAt: WrittenOnce<Date>;
}

/** A browser in which a user needs no second factor after a right password. */
export const trustedDeviceColumns = {
  id: writtenOnce(text),
  userId: writtenOnce(text),
  /** SHA-256 of the value that the browser keeps. Replaced by each use. */
  tokenHash: bytes,
  /** The hash that the last use replaced, and when. It is accepted for a moment, for concurrent sign-ins. */
  previousTokenHash: nullable(bytes),
  rotatedAt: nullable(time),
  /** When the browser last passed a second factor. */
  passedAt: time,
  createdAt: writtenOnce(time),
  lastUsedAt: time,
  expiresAt: time,
  ipAddress: text,
  userAgent: text,
};

export type TrustedDeviceTable = TableOf<typeof trustedDeviceColumns>;

/** A sign-in that waits for its second factor. */
export const signInChallengeColumns = {
  /** SHA-256 of the value that the browser keeps. */
  tokenHash: writtenOnce(bytes),
  userId: writtenOnce(text),
  /** Whether the user must verify a second factor, or set one up first. */
  purpose: writtenOnce(textOf<"verify" | "enrol">()),
  /** The sign-in method that was the first factor. */
  method: writtenOnce(text),
  /** The guest who was signed in in the browser. */
  guestId: nullable(text),
  /** Whether the session will outlive the browser. */
  remember: writtenOnce(boolean),
  /** Codes that were tried. */
  tries: withInitial(integer, 0),
  /** When the second factor was passed. The row is deleted once its session exists. */
  passedAt: nullable(time),
  createdAt: writtenOnce(time),
  expiresAt: writtenOnce(time),
};

export type SignInChallengeTable = TableOf<typeof signInChallengeColumns>;

/** The users who were mailed that a second factor will be required of them. */
export interface TwoFactorNoticeTable {
  userId: WrittenOnce<string>;
  /** When it will be required. A user is mailed again if the options name another time. */
  requiredFrom: Date;
  notifiedAt: Date;
}

/** A code that was mailed as a second factor. */
export interface TwoFactorCodeTable {
  /** The sign-in or session that the code is for. A new code replaces an earlier one. */
  subject: WrittenOnce<string>;
  userId: WrittenOnce<string>;
  /** A keyed HMAC of subject, user and code. */
  codeMac: string;
  tries: number;
  expiresAt: Date;
}
