// The rows of another database to import. Times are milliseconds since the epoch.

export interface GivenUser {
  id: string;
  name: string | null;
  email: string | null;
  emailVerified: boolean | null;
  image: string | null;
  username: string | null;
  displayUsername: string | null;
  role: string | null;
  banned: boolean | null;
  banReason: string | null;
  banExpires: number | null;
  createdAt: number | null;
  updatedAt: number | null;
  /** Columns with the names of configured additional fields, as text. */
  extra: Record<string, string | null>;
}

/** A row that belongs to a user. */
interface OfUser {
  userId: string | null;
  /** Whether the other database has that user. */
  hasUser: boolean | null;
}

export interface GivenAccount extends OfUser {
  id: string;
  providerId: string | null;
  accountId: string | null;
  password: string | null;
  accessToken: string | null;
  refreshToken: string | null;
  idToken: string | null;
  accessTokenExpiresAt: number | null;
  refreshTokenExpiresAt: number | null;
  scope: string | null;
  createdAt: number | null;
  updatedAt: number | null;
}

/** The row's key is the SHA-256 of the token, in hex. */
export interface GivenSession extends OfUser {
  isUserBanned: boolean | null;
  id: string;
  token: string;
  expiresAt: number | null;
  createdAt: number | null;
  updatedAt: number | null;
  ipAddress: string | null;
  userAgent: string | null;
  impersonatedBy: string | null;
  activeOrganizationId: string | null;
  extra: Record<string, string | null>;
}

/** A single-use token that was mailed. */
export interface GivenVerification {
  id: string;
  /** The identifier in clear text. */
  identifier: string;
  value: string | null;
  expiresAt: number | null;
  createdAt: number | null;
  updatedAt: number | null;
}

export interface GivenSigningKey {
  id: string;
  /** Null if all keys have the same algorithm. */
  alg: string | null;
  publicKey: string | null;
  privateKey: string | null;
  createdAt: number | null;
  /** When the key stops signing. */
  expiresAt: number | null;
}
