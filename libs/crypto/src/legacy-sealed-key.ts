import { hash, randomBytes } from "node:crypto";
import { xchacha20poly1305 } from "@noble/ciphers/chacha.js";
import type { SecretRing } from "./secret-ring.ts";

const nonceBytes = 24;

/** Lower-case hex with room for at least the nonce and the 16-byte tag; later versions name the secret before it. */
const sealedForm = /^(?:\$ba\$\d{1,9}\$)?((?:[0-9a-f]{2}){40,})$/;

/**
 * Encrypts the JSON text of a private key in the form of the databases that are taken over: XChaCha20-Poly1305 under
 * SHA-256 of the current secret, the 24-byte nonce in front, as hex in double quotes. A nonce is given by tests only:
 * one used twice breaks the cipher.
 */
export function sealLegacyKey(
  ring: SecretRing,
  privateKey: string,
  nonce: Uint8Array = randomBytes(nonceBytes),
): string {
  const sealed = xchacha20poly1305(legacyKey(ring.current), nonce).encrypt(Buffer.from(privateKey));
  return JSON.stringify(Buffer.concat([nonce, sealed]).toString("hex"));
}

/** The JSON text of a key sealed so under any secret of the ring; undefined for any other text. */
export function openLegacyKey(ring: SecretRing, stored: string): string | undefined {
  return stored.startsWith('"') && stored.endsWith('"') && stored.length > 1
    ? openLegacyValue(ring, stored.slice(1, -1))
    : undefined;
}

/** Whether a text may be a value that was sealed so; hex that is long enough looks like one too. */
export function isLegacySealed(stored: string): boolean {
  return sealedForm.test(stored);
}

/** The text of a value sealed so, without the quotes of a key; undefined for any other text. */
export function openLegacyValue(ring: SecretRing, stored: string): string | undefined {
  const hex = sealedForm.exec(stored)?.[1];
  if (hex === undefined) return undefined;
  const bytes = Buffer.from(hex, "hex");
  for (const secret of ring.all) {
    try {
      const cipher = xchacha20poly1305(legacyKey(secret), bytes.subarray(0, nonceBytes));
      return Buffer.from(cipher.decrypt(bytes.subarray(nonceBytes))).toString();
    } catch {
      continue; // sealed under another secret, or tampered with
    }
  }
  return undefined;
}

function legacyKey(secret: string): Uint8Array {
  return hash("sha256", secret, "buffer");
}
