import { hash } from "node:crypto";

/**
 * SHA-256 of the UTF-8 token, 32 bytes: what a store keeps and looks up in place of the token. Unsalted and fast, so
 * only for random tokens, never for passwords.
 */
export function hashToken(token: string): Buffer {
  // By way of text, because Node makes a buffer of its own for each digest.
  return Buffer.from(hash("sha256", token, "latin1"), "latin1");
}
