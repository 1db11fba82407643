import { columnTypes, type GivenValues, withoutColumns } from "@latchkey/service-kit";
import { accountColumns, sessionColumns, userColumns } from "../db/tables.ts";

const { text, time } = columnTypes;

/** The columns of each model that are read from another database. */
export const importedColumns = {
  user: withoutColumns(userColumns, "extra", "revision"),
  account: accountColumns,
  session: {
    id: text,
    token: text,
    ...withoutColumns(sessionColumns, "id", "tokenHash", "tokenSealed", "remembered", "extra"),
  },
  verification: {
    id: text,
    identifier: text,
    value: text,
    expiresAt: time,
    createdAt: time,
    updatedAt: time,
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

export type GivenSigningKey = GivenValues<Imported["jwks"]>;
