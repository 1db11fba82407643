import type { KeyPairConfig, Options } from "@latchkey/contracts";
import type { Jwk } from "@latchkey/crypto";

/** When a key was made and, if another has been made in its place, when that was. */
export interface KeyTimes {
  createdAt: Date;
  retiredAt: Date | null;
}

/** How old the copy in memory may grow before it is read again, behind the back of who uses it. */
export const refreshMilliseconds = 30_000;

/**
 * How long a new key is published before it signs, the one before it signing on. It covers a replica whose copy is as old
 * as copies get (twice `refreshMilliseconds`), clocks that differ a little, and verifiers that fetch the keys again for an
 * unknown `kid`, but not twice within 30 seconds.
 */
export const handoverMilliseconds = 120_000;

/** Keys that were retired then or before are published no more. */
export const unpublishedUntil = ({ gracePeriod }: Options["jwt"]["jwks"], now: number): Date =>
  new Date(now - handoverMilliseconds - gracePeriod * 1000);

/** Whether verifiers are still shown a key. */
export const isPublished = (
  { retiredAt }: KeyTimes,
  options: Options["jwt"]["jwks"],
  now: number,
): boolean => retiredAt === null || retiredAt > unpublishedUntil(options, now);

/**
 * The keys that may sign, the best first, from all that are published, newest first. Best is the newest that has been
 * published for long enough; a retired one stands in until there is such a one, or where no other can be opened. With new
 * ones only, the oldest of them.
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

/** When a key that was made or retired at a moment has taken over, or been relieved. */
export const handedOverAt = (since: Date): Date => new Date(since.getTime() + handoverMilliseconds);

/** Until when what a key has signed can be verified; null while no newer one has retired it. */
export const publishedUntil = (
  { retiredAt }: KeyTimes,
  { gracePeriod }: Options["jwt"]["jwks"],
): Date | null => retiredAt && new Date(handedOverAt(retiredAt).getTime() + gracePeriod * 1000);

/** What a key does, of all that are published, newest first; one that does not open never signs. */
export const stateOf = <Key extends KeyTimes & { opens: boolean }>(
  key: Key,
  keys: readonly Key[],
  now: number,
): "next" | "signing" | "published" => {
  if (key === inSigningOrder(keys, now).find(({ opens }) => opens)) return "signing";
  return key.retiredAt === null && key.opens ? "next" : "published";
};

/** Whether the newest key is to take over from another one. Keys are all that are published, newest first. */
export const isTakingOver = ([newest, ...others]: readonly KeyTimes[], now: number): boolean =>
  newest !== undefined && others.length > 0 && handedOverAt(newest.createdAt).getTime() > now;

const bitsOf = (modulus = ""): number => Buffer.from(modulus, "base64url").length * 8;

/** Whether a key is one that the options would make now. */
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

/** Whether a key has signed for as long as the options let one. */
export const isWornOut = (
  { createdAt }: KeyTimes,
  { rotationInterval }: Options["jwt"]["jwks"],
  now: number,
): boolean =>
  rotationInterval !== undefined && createdAt.getTime() + rotationInterval * 1000 <= now;
