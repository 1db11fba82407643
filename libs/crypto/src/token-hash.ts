import { hash } from "node:crypto";

/**
 * Returns the SHA-256 of the UTF-8 token, 32 bytes. Stores keep and look up the hash instead of the token. It is unsalted and fast, so use
 * it only for random tokens, never for passwords.
 */
export function hashToken(token: string): Buffer {
  // Uses a text as intermediate, because Node allocates a separate buffer for each binary digest.
  return Buffer.from(hash("sha256", token, "latin1"), "latin1");
}
