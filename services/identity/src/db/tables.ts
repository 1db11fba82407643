import type { KitTables, TakeOverTables, WrittenOnce } from "@latchkey/service-kit";
import type { ColumnType, JSONColumnType } from "kysely";

export interface UserTable {
  id: WrittenOnce<string>;
  name: string;
  /** The beginning of the name in lower case, which users are sorted by. */
  nameKey: ColumnType<string, never, never>;
  /** The address, by code point; kept by Postgres. */
  emailKey: ColumnType<string, never, never>;
  /** Lower case, unique. */
  email: string;
  emailVerified: boolean;
  image: string | null;
  /** As sign-in knows it: normalised, unique. */
  username: string | null;
  displayUsername: string | null;
  /** Names of roles, separated by commas. */
  role: string | null;
  banned: boolean;
  banReason: string | null;
  /** Null is for good. */
  banExpires: Date | null;
  /** The configured additional fields, by name. */
  extra: JSONColumnType<Record<string, unknown>>;
  /**
   * Grows with each change of the row and each end of a session, so that an older copy never replaces a newer one and no
   * cached session outlives either.
   */
  revision: ColumnType<number, never, number>;
  /** When the user was taken from whoever was in their sessions; one that had begun by then writes nothing more. */
  sessionsEndedAt: ColumnType<Date | null, never, Date>;
  createdAt: WrittenOnce<Date>;
  updatedAt: Date;
}

export interface AccountTable {
  id: WrittenOnce<string>;
  userId: WrittenOnce<string>;
  /** `credential` for a password account. */
  providerId: WrittenOnce<string>;
  accountId: WrittenOnce<string>;
  password: string | null;
  /** Tokens that the provider gave, sealed unless the options say otherwise. */
  accessToken: string | null;
  refreshToken: string | null;
  idToken: string | null;
  /** Null where it is not known. */
  accessTokenExpiresAt: Date | null;
  refreshTokenExpiresAt: Date | null;
  /** Scopes that were granted, separated by commas. */
  scope: string | null;
  createdAt: WrittenOnce<Date>;
  updatedAt: Date;
}

export interface SessionTable {
  id: WrittenOnce<string>;
  /** SHA-256 of the token; sessions are found by it. */
  tokenHash: WrittenOnce<Buffer>;
  /** The token, sealed, because its owner may list it. */
  tokenSealed: string;
  userId: WrittenOnce<string>;
  expiresAt: Date;
  createdAt: WrittenOnce<Date>;
  updatedAt: Date;
  ipAddress: WrittenOnce<string>;
  userAgent: WrittenOnce<string>;
  /** The id of the admin who impersonates the user. */
  impersonatedBy: WrittenOnce<string | null>;
  /** The id of the organization that it works in. */
  activeOrganizationId: string | null;
  /** The configured additional fields, by name. */
  extra: JSONColumnType<Record<string, unknown>>;
  /** Set where revoked rows are kept; such a row opens nothing. */
  revokedAt: ColumnType<Date | null, null | undefined, Date>;
}

/** A single-use token: found by its identifier, deleted by its use. */
export interface VerificationTable {
  id: WrittenOnce<string>;
  /** Unique; hashed unless the options say otherwise. */
  identifier: WrittenOnce<string>;
  /** What its use gives, unless that is sealed; tokens of a user are found by their id here. */
  value: WrittenOnce<string>;
  sealed: WrittenOnce<string | null>;
  expiresAt: WrittenOnce<Date>;
  createdAt: WrittenOnce<Date>;
  updatedAt: WrittenOnce<Date>;
}

/** Who refreshes the tokens of an account at the moment. */
export interface TokenRefreshTable {
  accountId: WrittenOnce<string>;
  holder: string;
  /** Should the holder have died by then, somebody else may. */
  expiresAt: Date;
}

/** A key pair that tokens are signed with. */
export interface SigningKeyTable {
  /** Also the key's `kid`. */
  id: WrittenOnce<string>;
  alg: WrittenOnce<string>;
  /** JSON of the public JWK. */
  publicKey: WrittenOnce<string>;
  /** JSON of the private JWK, sealed unless the options say otherwise. */
  privateKey: WrittenOnce<string>;
  createdAt: WrittenOnce<Date>;
  /** Since when there is a newer key; this one signs for two minutes more, and is published for a grace time after. */
  retiredAt: ColumnType<Date | null, Date | null | undefined, Date>;
}

/** The users whose cached sessions died lately: what gateways follow. */
export interface UserEpochTable {
  userId: WrittenOnce<string>;
  /** The user's revision; cached sessions of an earlier one are good for nothing. */
  epoch: number;
  changedAt: Date;
  /** The transaction that wrote the row, so that a follower misses none that commits late. */
  transactionId: string;
}

/** How much went on, on a day. */
export interface DailyCountTable {
  /** As `YYYY-MM-DD`, of UTC. */
  day: WrittenOnce<string>;
  signUps: number;
  signIns: number;
  /** Sign-ins that were refused, of whomever. */
  signInsFailed: number;
  /** Users who signed in, or whose session was extended. */
  activeUsers: number;
}

/** Who has been counted as active on a day; kept no longer than that day is counted. */
export interface ActiveUserTable {
  /** As `YYYY-MM-DD`, of UTC. */
  day: WrittenOnce<string>;
  userId: WrittenOnce<string>;
}

export interface Tables extends KitTables, TakeOverTables {
  user: UserTable;
  account: AccountTable;
  session: SessionTable;
  tokenRefresh: TokenRefreshTable;
  verification: VerificationTable;
  signingKey: SigningKeyTable;
  userEpoch: UserEpochTable;
  dailyCount: DailyCountTable;
  activeUser: ActiveUserTable;
}
