import type { KeyPairConfig, Options, Caller } from "@latchkey/contracts";
import {
  type Jwk,
  openLegacyKey,
  seal,
  type SecretRing,
  unseal,
  generateJwkPair,
} from "@latchkey/crypto";
import { appendAudit, type AuditEntry } from "@latchkey/service-kit/audit";
import type { Kysely, Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import {
  insertSigningKey,
  listSigningKeys,
  lockSigningKeys,
  retireSigningKeys,
  type SigningKeyRow,
} from "./queries.ts";

/** When a key was created and, if another one has replaced it, when that was. */
export interface KeyTimes {
  createdAt: Date;
  retiredAt: Date | null;
}

/** Age at which a use refreshes the copy in memory in the background. */
export const refreshMilliseconds = 30_000;

/**
 * How long a new key is published before it signs. The previous one signs meanwhile. The time covers a replica with the
 * oldest possible copy (twice `refreshMilliseconds`) and small clock differences. It also covers verifiers that fetch the
 * keys again for an unknown `kid`, but only once in 30 seconds.
 */
export const handoverMilliseconds = 120_000;

/** Keys that were retired at this time or before are no longer published. */
export const unpublishedUntil = ({ gracePeriod }: Options["jwt"]["jwks"], now: number): Date =>
  new Date(now - handoverMilliseconds - gracePeriod * 1000);

/** Returns whether verifiers still receive a key. */
export const isPublished = (
  { retiredAt }: KeyTimes,
  options: Options["jwt"]["jwks"],
  now: number,
): boolean => retiredAt === null || retiredAt > unpublishedUntil(options, now);

/**
 * Orders the published keys, newest first, by their suitability to sign. The best is the newest that has been published
 * for long enough. A retired one signs until there is such a key, or if no other can be opened. If all keys are new, the
 * oldest of them is the best.
 */
export const inSigningOrder = <Key extends KeyTimes>(keys: readonly Key[], now: number): Key[] => {
  const isKnown = ({ createdAt }: Key) => createdAt.getTime() + handoverMilliseconds <= now;
  const knownKeys = keys.filter(isKnown);
  return [
    ...knownKeys.filter(({ retiredAt }) => retiredAt === null),
    ...knownKeys.filter(({ retiredAt }) => retiredAt !== null),
    ...keys.filter((key) => !isKnown(key)).toReversed(),
  ];
};

/** Returns when the handover of a key ends that was created or retired at `since`. */
export const handedOverAt = (since: Date): Date => new Date(since.getTime() + handoverMilliseconds);

/** Returns how long a key's tokens can be verified, or null while no newer key has retired it. */
export const publishedUntil = (
  { retiredAt }: KeyTimes,
  { gracePeriod }: Options["jwt"]["jwks"],
): Date | null => retiredAt && new Date(handedOverAt(retiredAt).getTime() + gracePeriod * 1000);

/** Returns the state of a key among the published ones, newest first. A key that does not open never signs. */
export const stateOf = <Key extends KeyTimes & { opens: boolean }>(
  key: Key,
  keys: readonly Key[],
  now: number,
): "next" | "signing" | "published" => {
  if (key === inSigningOrder(keys, now).find(({ opens }) => opens)) return "signing";
  return key.retiredAt === null && key.opens ? "next" : "published";
};

/** Returns whether the newest of the published keys, newest first, is about to replace another one. */
export const isTakingOver = ([newest, ...others]: readonly KeyTimes[], now: number): boolean =>
  newest !== undefined && others.length > 0 && handedOverAt(newest.createdAt).getTime() > now;

const bitsOf = (modulus = ""): number => Buffer.from(modulus, "base64url").length * 8;

/** Returns whether a key has the configured algorithm and size. */
export const isOfKind = (
  { alg, publicJwk }: { alg: string; publicJwk: Jwk },
  wanted: KeyPairConfig,
): boolean => {
  if (alg !== wanted.alg) return false;
  if (wanted.alg === "EdDSA") return publicJwk.crv === wanted.crv;
  return (
    !("modulusLength" in wanted) || bitsOf(publicJwk.n) === Math.ceil(wanted.modulusLength / 8) * 8
  );
};

/** Returns whether a key has reached the configured rotation age. */
export const isWornOut = (
  { createdAt }: KeyTimes,
  { rotationInterval }: Options["jwt"]["jwks"],
  now: number,
): boolean =>
  rotationInterval !== undefined && createdAt.getTime() + rotationInterval * 1000 <= now;

const purpose = "signing key";

/** Returns the stored form of a private key: sealed, or in clear text if the options say so. */
export const storePrivateKey = (
  ring: SecretRing,
  privateJwk: Jwk,
  { disablePrivateKeyEncryption }: { disablePrivateKeyEncryption: boolean },
): string => {
  const text = JSON.stringify(privateJwk);
  return disablePrivateKeyEncryption ? text : seal(ring, purpose, text);
};

/**
 * Returns the private key in a row, independent of the present options: in clear text, sealed by this service, or sealed
 * by the database from which it was imported. Returns undefined if it needs another secret or is not a key.
 */
export const openPrivateKey = (ring: SecretRing, stored: string): Jwk | undefined => {
  const text = stored.startsWith("{")
    ? stored
    : (unseal(ring, purpose, stored) ?? openLegacyKey(ring, stored));
  return text === undefined ? undefined : parseJwk(text);
};

/** Parses the JSON of a JWK. Returns undefined for any other text. */
export const parseJwk = (text: string): Jwk | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? value // callers check its members
      : undefined;
  } catch {
    return undefined;
  }
};

/** The inputs for creating and storing signing keys. */
export interface SigningKeyNeeds {
  config: Options["jwt"];
  db: Kysely<Tables>;
  ring: SecretRing;
  clock: () => number;
  newId: () => string;
}

/** Describes why and by whom a key is created. */
export interface KeyAddition {
  /** Returns whether a new key is needed, given the current keys, newest first. Default: yes. */
  isNeeded?: (rows: readonly SigningKeyRow[]) => boolean;
  /** Default: the system. */
  actor?: AuditEntry["actor"];
  caller?: Caller;
}

/** Returns a new key pair in stored form. */
const makeKey = async ({ config, ring, newId }: SigningKeyNeeds) => {
  const { keyPairConfig } = config.jwks;
  const { publicJwk, privateJwk } = await generateJwkPair(keyPairConfig);
  return {
    id: newId(),
    alg: keyPairConfig.alg,
    publicKey: JSON.stringify(publicJwk),
    privateKey: storePrivateKey(ring, privateJwk, config.jwks),
  };
};
type NewKey = Awaited<ReturnType<typeof makeKey>>;

/** Returns a time later than any other key's, even if the clocks of other processes are ahead. */
const momentAfter = (newest: SigningKeyRow | undefined, now: number): Date =>
  new Date(Math.max(now, newest ? newest.createdAt.getTime() + 1 : 0));

const replaceKeys = async (
  trx: Transaction<Tables>,
  needs: SigningKeyNeeds,
  { key, createdAt, ...by }: { key: NewKey; createdAt: Date } & Omit<KeyAddition, "isNeeded">,
): Promise<void> => {
  const retired = await retireSigningKeys(trx, createdAt);
  await insertSigningKey(trx, { ...key, createdAt });
  await appendAudit(trx, needs, {
    actor: { kind: "system" },
    ...by,
    subject: { kind: "signing-key", id: key.id },
    action: "signing-key.created",
    after: { alg: key.alg, retired },
  });
};

/**
 * Creates a key and retires the others, in one transaction, unless `isNeeded` returns false for the current keys. Of
 * several concurrent calls, the first creates it. Returns the `kid` of the newest key.
 */
export const addSigningKey = async (
  needs: SigningKeyNeeds,
  { isNeeded, ...by }: KeyAddition = {},
): Promise<string> => {
  const { config, db, clock } = needs;
  const key = await makeKey(needs); // before the lock, because a large RSA key takes seconds
  return db.transaction().execute(async (trx) => {
    await lockSigningKeys(trx);
    const rows = await listSigningKeys(trx, unpublishedUntil(config.jwks, clock()));
    const [newest] = rows;
    if (newest && isNeeded?.(rows) === false) return newest.id;
    await replaceKeys(trx, needs, { ...by, key, createdAt: momentAfter(newest, clock()) });
    return key.id;
  });
};
