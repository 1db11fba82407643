import { createHmac } from "node:crypto";
import type { SecretRing } from "./secret-ring.ts";
import { verifyMac } from "./verify-mac.ts";

/** Padded base64 of 32 bytes. */
const signatureLength = 44;

/**
 * Returns `value.signature`, percent-encoded for a cookie. The signature is the padded base64 of HMAC-SHA-256 over the UTF-8 value under
 * the
 * current secret. The value must not be empty, because it would never verify. A value with a lone surrogate throws `URIError`.
 */
export function signValue(ring: SecretRing, value: string): string {
  const signature = createHmac("sha256", ring.hmacKeys[0]).update(value).digest("base64");
  return encodeURIComponent(`${value}.${signature}`);
}

/**
 * Returns the value of a text from `signValue`, percent-encoded or not. Returns undefined if it is malformed or no secret of the ring
 * signed
 * it. The cookie parser must remove quotes around the value first.
 */
export function verifySignedValue(ring: SecretRing, raw: string): string | undefined {
  const text = raw.includes("%") ? percentDecode(raw) : raw;
  if (text === undefined) return undefined;

  // A signature contains no dot, so the last one is the separator whatever the value contains.
  const dot = text.lastIndexOf(".");
  if (dot < 1 || text.length - dot - 1 !== signatureLength || !text.endsWith("=")) return undefined;

  const value = text.slice(0, dot);
  return verifyMac(ring, value, { text: text.slice(dot + 1), encoding: "base64" })
    ? value
    : undefined;
}

function percentDecode(raw: string): string | undefined {
  try {
    return decodeURIComponent(raw);
  } catch {
    return undefined;
  }
}
