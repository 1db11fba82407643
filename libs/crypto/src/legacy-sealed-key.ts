import { hash, randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import type * as chacha from "@noble/ciphers/chacha.js";
import type { SecretRing } from "./secret-ring.ts";

/** Loads the cipher at its first use, because only imported installations need it. */
const loadCipher = () =>
  (createRequire(import.meta.url)("@noble/ciphers/chacha.js") as typeof chacha).xchacha20poly1305;

const nonceBytes = 24;

/** Lower-case hex, long enough for the nonce and the 16-byte tag. Later versions put the number of the secret in front. */
const sealedForm = /^(?:\$ba\$\d{1,9}\$)?((?:[0-9a-f]{2}){40,})$/;

/**
 * Encrypts the JSON text of a private key in the format of imported databases: XChaCha20-Poly1305 with the SHA-256 of the current secret
 * as its key. The result is hex in double quotes and begins with the 24-byte nonce. Only tests pass a nonce, because reuse breaks the
 * cipher.
 */
export function sealLegacyKey(
  ring: SecretRing,
  privateKey: string,
  nonce: Uint8Array = randomBytes(nonceBytes),
): string {
  const sealed = loadCipher()(legacyKey(ring.current), nonce).encrypt(Buffer.from(privateKey));
  return JSON.stringify(Buffer.concat([nonce, sealed]).toString("hex"));
}

/** Returns the JSON text of a key sealed in this format under any secret of the ring. Returns undefined for any other text. */
export function openLegacyKey(ring: SecretRing, stored: string): string | undefined {
  return stored.startsWith('"') && stored.endsWith('"') && stored.length > 1
    ? openLegacyValue(ring, stored.slice(1, -1))
    : undefined;
}

/** Returns whether a text has the form of a sealed value. Any hex text of sufficient length has it too. */
export function isLegacySealed(stored: string): boolean {
  return sealedForm.test(stored);
}

/** Returns the text of a sealed value without the quotes of a key. Returns undefined for any other text. */
export function openLegacyValue(ring: SecretRing, stored: string): string | undefined {
  const hex = sealedForm.exec(stored)?.[1];
  if (hex === undefined) return undefined;
  const bytes = Buffer.from(hex, "hex");
  const createCipher = loadCipher();
  for (const secret of ring.all) {
    try {
      const cipher = createCipher(legacyKey(secret), bytes.subarray(0, nonceBytes));
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
