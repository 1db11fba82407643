import {
  columnTypes,
  type KitTables,
  nullable,
  type TableOf,
  writtenOnce,
} from "@latchkey/service-kit/database";

/** The schema that this service owns. */
export const schema = "oauth";

const { bigint, boolean, bytes, integer, text, textOf, time } = columnTypes;

/** An application that users sign in to. */
export const clientColumns = {
  /** The `client_id`. */
  id: writtenOnce(text),
  /** Client metadata by the names of RFC 7591, as JSON. */
  metadata: text,
  disabled: boolean,
  /** Users are not asked for consent. */
  skipConsent: boolean,
  requirePkce: boolean,
  /** Names separated by blanks: the scopes of `client_credentials`. Empty if the client may not use that grant. */
  machineScopes: text,
  /** Identifiers separated by blanks: the resources for which it gets access tokens. */
  resources: text,
  /** How it became known. Only what an admin created is verified. */
  origin: writtenOnce(textOf<"admin" | "registration">()),
  /** The user who created it. Empty if the command line did, or if it registered itself. */
  createdBy: writtenOnce(text),
  createdAt: writtenOnce(time),
  updatedAt: time,
  /** The last time that it got a code or token, to the minute. */
  lastUsedAt: nullable(time),
};
export type ClientTable = TableOf<typeof clientColumns>;

/** The present secret of a client, and a former one during the overlap of a rotation. */
const clientSecretColumns = {
  /** SHA-256 of the secret. */
  hash: writtenOnce(bytes),
  clientId: writtenOnce(text),
  createdAt: writtenOnce(time),
  /** Null for the present secret. */
  expiresAt: nullable(time),
};

/** A user of a client, with the scopes that the user has granted to it. */
export const consentColumns = {
  id: writtenOnce(text),
  /** One for each client and user. */
  clientId: writtenOnce(text),
  userId: writtenOnce(text),
  /** Names separated by blanks. Empty if the client is trusted, so that the user was not asked. */
  scopes: text,
  createdAt: writtenOnce(time),
  updatedAt: time,
  /** The last time that the client got a code or token for the user, to the minute. */
  lastUsedAt: nullable(time),
};

export type GrantEnd = "client-deleted" | "consent-withdrawn" | "replayed" | "revoked";

/** One authorization: everything that follows from one code belongs to it and ends with it. */
export const grantColumns = {
  id: writtenOnce(text),
  clientId: writtenOnce(text),
  userId: writtenOnce(text),
  /** The session in which it began. Null if it outlives the session, because `offline_access` was granted. */
  sessionId: writtenOnce(nullable(text)),
  /** The access epoch of the user when it began. It is void once the user has a higher one. */
  accessEpoch: writtenOnce(bigint),
  payload: writtenOnce(text),
  startedAt: writtenOnce(time),
  endedAt: nullable(time),
  endReason: nullable(textOf<GrantEnd>()),
};

export type ArtifactKind =
  | "AccessToken"
  | "AuthorizationCode"
  | "ClientCredentials"
  | "Interaction"
  | "PushedAuthorizationRequest"
  | "RegistrationToken"
  | "ReplayDetection"
  | "RefreshToken";

/** A code, token, pushed request or interaction. */
export const artifactColumns = {
  /** SHA-256 of its value, which is stored nowhere. */
  hash: writtenOnce(bytes),
  kind: writtenOnce(textOf<ArtifactKind>()),
  grantId: writtenOnce(nullable(text)),
  clientId: writtenOnce(nullable(text)),
  userId: writtenOnce(nullable(text)),
  /** JSON text. Not `jsonb`, which takes no NUL character, and clients choose parts of it. */
  payload: text,
  createdAt: writtenOnce(time),
  expiresAt: writtenOnce(time),
  consumedAt: nullable(time),
  /** The sealed answer to the use of a refresh token, for repetitions within a short time. */
  answerSealed: nullable(text),
};
export type ArtifactTable = TableOf<typeof artifactColumns>;

export type DeviceState = "approved" | "denied" | "pending";

/** A device without a browser that waits for its user. */
export const deviceRequestColumns = {
  /** SHA-256 of the code of the device. */
  hash: writtenOnce(bytes),
  /** A MAC of the code of the user, which is too short for a hash. */
  userCodeMac: writtenOnce(text),
  clientId: writtenOnce(text),
  /** The request of an OAuth client as the provider reads it, as JSON text. Null if the device gets a session. */
  payload: writtenOnce(nullable(text)),
  /** Names separated by blanks. */
  scope: writtenOnce(text),
  /** JSON of the name, address and user agent of the device, sealed. */
  deviceSealed: writtenOnce(text),
  /** A MAC of the address, by which waiting requests are counted. */
  addressMac: writtenOnce(text),
  state: textOf<DeviceState>(),
  /** The user who decided. */
  userId: nullable(text),
  /** The access epoch of the user when they allowed it. */
  accessEpoch: nullable(bigint),
  /** How the user was authenticated when they allowed it, as JSON. */
  authentication: nullable(text),
  grantId: nullable(text),
  intervalSeconds: integer,
  polledAt: nullable(time),
  createdAt: writtenOnce(time),
  expiresAt: writtenOnce(time),
};

/** The wrong codes that a user, or an address without one, has entered lately. */
const userCodeTryColumns = {
  /** A MAC of the user or address. */
  key: writtenOnce(text),
  tryCount: integer,
  expiresAt: time,
};

const signingKeyColumns = {
  /** The `kid`. */
  id: writtenOnce(text),
  alg: writtenOnce(text),
  /** A JWK, sealed. */
  privateKeySealed: text,
  createdAt: writtenOnce(time),
};

export interface Tables extends KitTables {
  artifact: ArtifactTable;
  client: ClientTable;
  clientSecret: TableOf<typeof clientSecretColumns>;
  consent: TableOf<typeof consentColumns>;
  deviceRequest: TableOf<typeof deviceRequestColumns>;
  grant: TableOf<typeof grantColumns>;
  signingKey: TableOf<typeof signingKeyColumns>;
  userCodeTry: TableOf<typeof userCodeTryColumns>;
}
