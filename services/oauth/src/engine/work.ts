import { AsyncLocalStorage } from "node:async_hooks";
import { hashToken } from "@latchkey/crypto";
import type { Insertable } from "kysely";
import type { Adapter, AdapterPayload, InteractionResults } from "oidc-provider";
import type { ArtifactKind, ArtifactTable, GrantEnd, Tables } from "../db/tables.ts";
import type { DeviceRequestRow } from "../device-requests/queries.ts";
import { providerMetadata } from "./client-metadata.ts";
import type { ArtifactKey, FoundClient, GrantRow } from "./queries.ts";

/** The session of the browser at Latchkey, which is the only one. */
export interface SignedIn {
  sessionId: string;
  userId: string;
  authenticatedAt: Date;
  /** Authentication methods (RFC 8176). */
  amr: string[];
  acr: string;
}

/** A user has this long to sign in and to consent. */
export const interactionSeconds = 600;

/**
 * The provider gives `offline_access` only with `prompt=consent`. This value beside it says that the client did not send the prompt, so that
 * a consent from before counts. Clients cannot send it.
 */
export const silentConsent = "latchkey_silent_consent";

/** The columns of a request of a device that the provider does not know. */
export type DeviceFacts = Pick<
  DeviceRequestRow,
  "addressMac" | "deviceSealed" | "intervalSeconds" | "userCodeMac"
>;

/** The reads of one protocol request, and the writes at its end. */
export interface Work {
  session: SignedIn | undefined;
  /** The user's answer to the interaction that the request resumes. */
  result: InteractionResults | undefined;
  clients: Map<string, NonNullable<FoundClient>>;
  isClientDisabled: boolean;
  /** Whether the client authenticates by the Authorization header. */
  usesBasic: boolean;
  grants: Map<string, GrantRow>;
  newGrant: GrantRow | undefined;
  /** The scopes that the new grant owes to an earlier consent. */
  neededConsent: readonly string[];
  newArtifacts: Insertable<ArtifactTable>[];
  /** Of each of these exactly one request may have the effect. */
  used: { key: ArtifactKey; isDeleted: boolean }[];
  deleted: ArtifactKey[];
  /** The device that makes the request. */
  device: DeviceFacts | undefined;
  newDeviceRequest: Insertable<Tables["deviceRequest"]> | undefined;
  /** The hash of the code of a device whose request is used up. */
  usedDeviceCode: Buffer | undefined;
  endedGrants: Map<string, GrantEnd>;
  /** Why a grant ends that the provider destroys. */
  endReason: GrantEnd;
  /** The error for a page, if it must not reach a redirect URI. */
  page: { error: string; error_description?: string } | undefined;
  /** An error that is not the client's fault. */
  failure: unknown;
}

export const newWork = (
  given: Pick<Work, "endReason"> &
    Partial<Pick<Work, "device" | "result" | "session" | "usesBasic">>,
): Work => ({
  endReason: given.endReason,
  session: given.session,
  result: given.result,
  clients: new Map(),
  isClientDisabled: false,
  usesBasic: given.usesBasic ?? false,
  grants: new Map(),
  newGrant: undefined,
  neededConsent: [],
  newArtifacts: [],
  used: [],
  deleted: [],
  device: given.device,
  newDeviceRequest: undefined,
  usedDeviceCode: undefined,
  endedGrants: new Map(),
  page: undefined,
  failure: undefined,
});

const storage = new AsyncLocalStorage<Work>();

export const runWork = <T>(work: Work, run: () => Promise<T>): Promise<T> => storage.run(work, run);

export const presentWork = (): Work => {
  const work = storage.getStore();
  if (!work) throw new TypeError("the provider works only inside of a protocol request");
  return work;
};

/** The identifier of the browser's session within a request. No cookie of the browser holds it. */
export const sessionCookie = "present";

/** Codes and refresh tokens that were used less than this ago are shown as unused, so that their use fails without ending the grant. */
export interface ReuseTimes {
  AuthorizationCode: number;
  RefreshToken: number;
}

/** The reads of the adapter. */
export interface Reads {
  /** The configured scopes of users. */
  scopes: readonly string[];
  clock: () => number;
  reuseMilliseconds: ReuseTimes;
  findClient: (id: string) => Promise<FoundClient>;
  findGrant: (id: string) => Promise<GrantRow | undefined>;
  findArtifact: (
    key: ArtifactKey,
  ) => Promise<{ payload: string; consumedAt: Date | null; userId: string | null } | undefined>;
  /** Records a poll of a device and returns its request. Throws if it comes too soon. */
  pollDevice: (hash: Buffer, clientIds: readonly string[]) => Promise<DeviceRequestRow | undefined>;
}

const keyOf = (kind: ArtifactKind, id: string): ArtifactKey => ({ kind, hash: hashToken(id) });

const sessionPayload = (
  { sessionId, userId, authenticatedAt, amr, acr }: SignedIn,
  now: number,
) => ({
  jti: sessionCookie,
  uid: sessionId,
  kind: "Session",
  iat: Math.floor(now / 1_000),
  exp: Math.floor(now / 1_000) + 3_600,
  accountId: userId,
  loginTs: Math.floor(authenticatedAt.getTime() / 1_000),
  amr,
  acr,
});

/** Reads a code, token, pushed request or interaction. A used one counts as unused for a short time. */
const readArtifact = async (
  reads: Reads,
  kind: ArtifactKind,
  id: string,
): Promise<AdapterPayload | undefined> => {
  const row = await reads.findArtifact(keyOf(kind, id));
  if (!row) return undefined;
  const payload = JSON.parse(row.payload) as AdapterPayload; // written by the adapter
  const reuse = reads.reuseMilliseconds[kind as keyof ReuseTimes] ?? 0;
  const isReused = row.consumedAt && reads.clock() - row.consumedAt.getTime() >= reuse;
  return { ...payload, jti: id, ...(isReused && { consumed: true }) };
};

/** Returns the user's decision about a device as the provider reads it. */
const decisionOf = ({ state, userId, grantId, scope, authentication }: DeviceRequestRow) => {
  if (state === "denied")
    return { error: "access_denied", errorDescription: "the user denied the request" };
  if (state === "pending" || userId === null || grantId === null) return {};
  const { authenticatedAt, amr, acr } = JSON.parse(authentication ?? "{}") as SignedIn; // written at the approval
  const authTime = Math.floor(new Date(authenticatedAt).getTime() / 1_000);
  return { accountId: userId, grantId, scope, authTime, amr, acr };
};

/** Reads the request of a device. Only the client that the provider has authenticated may poll. */
const readDevice = async (reads: Reads, id: string): Promise<AdapterPayload | undefined> => {
  const row = await reads.pollDevice(hashToken(id), [...presentWork().clients.keys()]);
  if (!row || row.payload === null) return undefined;
  const payload = JSON.parse(row.payload) as AdapterPayload; // written by the adapter
  return { ...payload, jti: id, ...decisionOf(row) };
};

const find = async (
  reads: Reads,
  kind: string,
  id: string,
): Promise<AdapterPayload | undefined> => {
  const work = presentWork();
  if (kind === "Session")
    return id === sessionCookie && work.session
      ? sessionPayload(work.session, reads.clock())
      : undefined;
  if (kind === "Client") {
    // Postgres takes no NUL character, and no client has one in its id.
    const client = id.includes("\0") ? undefined : await reads.findClient(id);
    if (client?.disabled) work.isClientDisabled = true;
    if (!client || client.disabled) return undefined;
    work.clients.set(id, client);
    return providerMetadata(client, reads.scopes) as AdapterPayload;
  }
  if (kind === "Grant") {
    const grant = work.newGrant?.id === id ? work.newGrant : await reads.findGrant(id);
    if (!grant) return undefined;
    work.grants.set(id, grant);
    return { ...(JSON.parse(grant.payload) as AdapterPayload), jti: id };
  }
  if (kind === "DeviceCode") return readDevice(reads, id);
  const payload = await readArtifact(reads, kind as ArtifactKind, id);
  if (payload && kind === "Interaction" && work.result) payload.result = work.result;
  return payload;
};

const insert = (
  { kind, id }: { kind: ArtifactKind; id: string },
  payload: AdapterPayload,
  now: Date,
): void => {
  // The value itself is not stored. The session of an interaction is the browser's at each step, not that of its beginning.
  const { jti: _, session: __, ...stored } = payload;
  presentWork().newArtifacts.push({
    hash: hashToken(id),
    kind,
    // The grant of a request that waits for its user may never begin.
    grantId: kind === "Interaction" ? null : (payload.grantId ?? null),
    clientId: payload.clientId ?? (payload.params?.["client_id"] as string | undefined) ?? null,
    userId: payload.accountId ?? payload.session?.accountId ?? null,
    payload: JSON.stringify(stored),
    createdAt: now,
    // A pushed request is used up when its code is issued, after the user has signed in and consented.
    expiresAt: new Date(
      ((payload.exp ?? 0) + (kind === "PushedAuthorizationRequest" ? interactionSeconds : 0)) *
        1_000,
    ),
    consumedAt: null,
    answerSealed: null,
  });
};

const insertDevice = (id: string, payload: AdapterPayload, now: Date): void => {
  const work = presentWork();
  if (!work.device) throw new TypeError("a request of a device names the device");
  const { jti: _, userCode: __, deviceInfo: ___, ...stored } = payload;
  const scope = payload.params?.["scope"];
  work.newDeviceRequest = {
    ...work.device,
    hash: hashToken(id),
    clientId: payload.clientId ?? "",
    payload: JSON.stringify(stored),
    scope: typeof scope === "string" ? scope : "",
    state: "pending",
    userId: null,
    accessEpoch: null,
    authentication: null,
    grantId: null,
    polledAt: null,
    createdAt: now,
    expiresAt: new Date((payload.exp ?? 0) * 1_000),
  };
};

/**
 * Creates the provider's adapter. It reads from the database, and collects what a request writes, so that one transaction at its end decides
 * (`commitWork`).
 */
export const createAdapter =
  (reads: Reads) =>
  (kind: string): Adapter => ({
    find: (id) => find(reads, kind, id),
    upsert: async (id, payload) => {
      if (kind === "Session" || kind === "Grant") return; // see `createGrant`
      const now = new Date(reads.clock());
      if (kind === "DeviceCode") insertDevice(id, payload, now);
      else insert({ kind: kind as ArtifactKind, id }, payload, now);
    },
    consume: async (id) => {
      const work = presentWork();
      if (kind === "DeviceCode") work.usedDeviceCode = hashToken(id);
      else work.used.push({ key: keyOf(kind as ArtifactKind, id), isDeleted: false });
    },
    destroy: async (id) => {
      const work = presentWork();
      if (kind === "Session") return;
      if (kind === "Grant") work.endedGrants.set(id, work.endReason);
      else if (kind === "Interaction")
        work.used.push({ key: keyOf("Interaction", id), isDeleted: true });
      else work.deleted.push(keyOf(kind as ArtifactKind, id));
    },
    // The provider also destroys the grant, with which everything of it ends.
    revokeByGrantId: async () => {},
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
  });
