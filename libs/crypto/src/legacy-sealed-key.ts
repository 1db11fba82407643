import { hash, randomBytes } from "node:crypto";
import { xchacha20poly1305 } from "@noble/ciphers/chacha.js";
import type { SecretRing } from "./secret-ring.ts";

const nonceBytes = 24;

/** A JSON string of lower-case hex with room for at least the nonce and the 16-byte tag. */
const storedForm = /^"((?:[0-9a-f]{2}){40,})"$/;

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
  const hex = storedForm.exec(stored)?.[1];
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
