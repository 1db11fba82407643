import { createHmac } from "node:crypto";
import type { SecretRing } from "./secret-ring.ts";
import { verifyMac } from "./verify-mac.ts";

/** Padded base64 of 32 bytes. */
const signatureLength = 44;

/**
 * `value.signature`, percent-encoded and ready for a cookie: padded base64 of HMAC-SHA-256 over the UTF-8 value under
 * the current secret. The value must not be empty (it would never verify); one with a lone surrogate is a `URIError`.
 */
export function signValue(ring: SecretRing, value: string): string {
  const signature = createHmac("sha256", ring.hmacKeys[0]).update(value).digest("base64");
  return encodeURIComponent(`${value}.${signature}`);
}

/**
 * The value inside a text made by `signValue`, percent-encoded or not; undefined when it is malformed or no secret of
 * the ring signed it. Quotes around a cookie value are the cookie parser's to remove.
 */
export function verifySignedValue(ring: SecretRing, raw: string): string | undefined {
  const text = raw.includes("%") ? percentDecode(raw) : raw;
  if (text === undefined) return undefined;

  // A signature contains no dot, so the last one separates whatever the value contains.
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
