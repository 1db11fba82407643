import { timingSafeEqual } from "node:crypto";
import { hmacSha256 } from "./hmac-sha256.ts";
import type { SecretRing } from "./secret-ring.ts";

/**
 * Returns whether `mac` is the HMAC-SHA-256 of `message` under any secret of the ring. Compares the encoded texts, not the decoded bytes:
 * decoders ignore foreign characters and spare bits, which would allow many spellings of one MAC.
 */
export function verifyMac(
  ring: SecretRing,
  message: string | Uint8Array,
  mac: { text: string; encoding: "base64" | "base64url" },
): boolean {
  const actual = Buffer.from(mac.text);
  for (const key of ring.hmacKeys) {
    const expected = Buffer.from(hmacSha256(key, message, mac.encoding));
    if (actual.length === expected.length && timingSafeEqual(actual, expected)) return true;
  }
  return false;
}
