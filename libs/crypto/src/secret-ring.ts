import { createSecretKey, hkdfSync, type KeyObject } from "node:crypto";
import { hmacSha256 } from "./hmac-sha256.ts";

const nameLength = 16;

/** Keys in the order of their secrets: the first one signs or seals, all of them verify or open. */
export type KeyList = readonly [KeyObject, ...KeyObject[]];

/** The secrets of a deployment, newest first. Holds them in plain text: never log or serialize it. */
export interface SecretRing {
  /** The secret that signs. */
  readonly current: string;
  /** All secrets that verify, `current` first. */
  readonly all: readonly string[];
  /** The UTF-8 bytes of each secret as an HMAC key. */
  readonly hmacKeys: KeyList;
  /**
   * Returns one 32-byte key per secret by HKDF-SHA-256 (RFC 5869; no salt, the label as info). Results are cached for the life of the ring,
   * so a purpose must be a fixed label and never derived from input.
   */
  derive(purpose: string): KeyList;
}

/** Creates a ring of at least one secret. Throws `TypeError` if there is none or one of them is empty. */
export function createSecretRing(secrets: readonly string[]): SecretRing {
  const all = Object.freeze([...secrets]);
  const [current, ...older] = all;
  if (current === undefined) throw new TypeError("at least one secret is required");
  if (all.includes("")) throw new TypeError("a secret must not be empty");

  const toKey = (secret: string) => createSecretKey(secret, "utf8");
  const hmacKeys: KeyList = [toKey(current), ...older.map(toKey)];
  const derived = new Map<string, KeyList>();

  function derive(purpose: string): KeyList {
    const existingKeys = derived.get(purpose);
    if (existingKeys !== undefined) return existingKeys;
    const [first, ...rest] = hmacKeys;
    const keys: KeyList = [
      deriveKey(first, purpose),
      ...rest.map((key) => deriveKey(key, purpose)),
    ];
    derived.set(purpose, keys);
    return keys;
  }

  return { current, all, hmacKeys, derive };
}

function deriveKey(key: KeyObject, purpose: string): KeyObject {
  return createSecretKey(new Uint8Array(hkdfSync("sha256", key, "", purpose, 32)));
}

/**
 * Returns a name of the current secret that reveals nothing about it. Rows keep the name of the secret that sealed them, so that those of
 * an earlier secret can be found and sealed again.
 */
export function secretName(ring: SecretRing): string {
  const [key] = ring.derive("secret name");
  return hmacSha256(key, "", "base64url").slice(0, nameLength);
}
