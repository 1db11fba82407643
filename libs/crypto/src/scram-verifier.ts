import { createHash, createHmac, pbkdf2Sync } from "node:crypto";

const keyBytes = 32;

const nonAsciiSpace = /[\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]/gu;
const mappedToNothing =
  /\u00AD|\u034F|\u1806|[\u180B-\u180D]|[\u200B-\u200D]|\u2060|[\uFE00-\uFE0F]|\uFEFF/gu;

/** The part of SASLprep (RFC 4013) that changes a password. Both sides of a sign-in apply it. */
const prepare = (password: string): string =>
  password.replaceAll(nonAsciiSpace, " ").replaceAll(mappedToNothing, "").normalize("NFKC");

const hmac = (key: Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();

/**
 * Returns the verifier that Postgres stores for a password (SCRAM-SHA-256, RFC 5802). It sets a role's password without sending the
 * password to the server. The same arguments always give the same text.
 */
export const scramVerifier = (password: string, salt: Buffer, iterations: number): string => {
  const salted = pbkdf2Sync(prepare(password), salt, iterations, keyBytes, "sha256");
  const storedKey = createHash("sha256").update(hmac(salted, "Client Key")).digest("base64");
  const serverKey = hmac(salted, "Server Key").toString("base64");
  return `SCRAM-SHA-256$${iterations}:${salt.toString("base64")}$${storedKey}:${serverKey}`;
};
