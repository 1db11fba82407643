import {
  columnTypes,
  nullable,
  type TableOf,
  withInitial,
  type WrittenOnce,
  writtenOnce,
} from "@latchkey/service-kit/database";

const { bigint, boolean, bytes, text, textOf, time } = columnTypes;

export const passkeyColumns = {
  id: writtenOnce(text),
  userId: writtenOnce(text),
  name: nullable(text),
  /** Unique. At most 1023 bytes. */
  credentialId: writtenOnce(bytes),
  /** The COSE key. */
  publicKey: writtenOnce(bytes),
  /** The signature counter of the last use. Always 0 if the authenticator has none. */
  counter: bigint,
  deviceType: writtenOnce(textOf<"singleDevice" | "multiDevice">()),
  backedUp: boolean,
  /** Separated by commas. */
  transports: writtenOnce(nullable(text)),
  aaguid: writtenOnce(text),
  /** The authenticator verified the user at the registration. */
  userVerified: writtenOnce(boolean),
  /** The authenticator stores the handle of the user. An imported passkey contains the one of its former installation. */
  hasUserHandle: writtenOnce(withInitial(boolean, true)),
  createdAt: writtenOnce(time),
  lastUsedAt: nullable(time),
};

export type PasskeyTable = TableOf<typeof passkeyColumns>;

/** The users who have registered a passkey, as authenticators know them. */
export interface PasskeyUserTable {
  userId: WrittenOnce<string>;
  /** 32 random bytes, unique. They never change, so that an authenticator replaces a passkey instead of adding one. */
  handle: Buffer;
}

/** A WebAuthn challenge that waits for its response. Deleted by its use. */
export interface PasskeyChallengeTable {
  /** SHA-256 of the browser's kept value and the challenge. */
  hash: WrittenOnce<Buffer>;
  /** SHA-256 of the browser's kept value. */
  browserHash: WrittenOnce<Buffer>;
  ceremony: WrittenOnce<"registration" | "authentication">;
  /** The user who registers. Null for a sign-in. */
  userId: WrittenOnce<string | null>;
  createdAt: WrittenOnce<Date>;
  expiresAt: WrittenOnce<Date>;
}
