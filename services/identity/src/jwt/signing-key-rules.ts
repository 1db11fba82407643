import type { KeyPairConfig, Options } from "@latchkey/contracts";
import type { Jwk } from "@latchkey/crypto";

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
  const known = keys.filter(isKnown);
  return [
    ...known.filter(({ retiredAt }) => retiredAt === null),
    ...known.filter(({ retiredAt }) => retiredAt !== null),
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
