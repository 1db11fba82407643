import { columnTypes, nullable, withoutColumns } from "@latchkey/service-kit/database";
import type { GivenValues } from "@latchkey/service-kit/import";
import { passkeyColumns } from "../db/passkey-tables.ts";
import { accountColumns, sessionColumns, userColumns } from "../db/tables.ts";

const { boolean, text, time } = columnTypes;

/** The columns of each model that are read from another database. */
export const importedColumns = {
  user: withoutColumns(userColumns, "extra", "revision"),
  account: accountColumns,
  session: {
    id: text,
    token: text,
    ...withoutColumns(
      sessionColumns,
      "id",
      "tokenHash",
      "tokenSealed",
      "remembered",
      "impersonationReason",
      "extra",
    ),
  },
  verification: {
    id: text,
    identifier: text,
    value: text,
    expiresAt: time,
    createdAt: time,
    updatedAt: time,
  },
  twoFactor: {
    id: text,
    userId: text,
    secret: text,
    backupCodes: text,
    /** Null in rows of earlier versions, which the user's flag confirms. */
    verified: nullable(boolean),
  },
  passkey: {
    ...withoutColumns(
      passkeyColumns,
      "credentialId",
      "hasUserHandle",
      "lastUsedAt",
      "publicKey",
      "userVerified",
    ),
    /** Base64url. */
    credentialID: text,
    /** Base64. */
    publicKey: text,
  },
  jwks: {
    id: text,
    /** Null if all keys have the same algorithm. */
    alg: text,
    publicKey: text,
    privateKey: text,
    createdAt: time,
    /** When the key stops signing. */
    expiresAt: time,
  },
};

type Imported = typeof importedColumns;

/** Columns with the names of configured additional fields, as text. */
interface WithFields {
  extra: Record<string, string | null>;
}

/** A row that belongs to a user. */
interface OfUser {
  /** Whether the other database has that user. */
  hasUser: boolean | null;
}

export interface GivenUser extends GivenValues<Imported["user"]>, WithFields {}

export interface GivenAccount extends GivenValues<Imported["account"]>, OfUser {}

/** The row's key is the SHA-256 of the token, in hex. */
export interface GivenSession extends GivenValues<Imported["session"]>, WithFields, OfUser {
  isUserBanned: boolean | null;
  token: string;
}

/** A single-use token that was mailed. */
export interface GivenVerification extends GivenValues<Imported["verification"]> {
  /** The identifier in clear text. */
  identifier: string;
}

/** An authenticator app with its backup codes. The row's key is the id of the user. */
export interface GivenTwoFactor extends GivenValues<Imported["twoFactor"]>, OfUser {
  /** Whether the second factor of its user is on. */
  isEnabled: boolean | null;
  /** The number of other rows of its user, which are not read. */
  otherCount: number | null;
}

export interface GivenPasskey extends GivenValues<Imported["passkey"]>, OfUser {
  /** Whether a newer row has the same credential id. */
  hasNewer: boolean | null;
}

export type GivenSigningKey = GivenValues<Imported["jwks"]>;
