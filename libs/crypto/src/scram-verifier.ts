import { createHash, createHmac, pbkdf2Sync } from "node:crypto";

// As Postgres computes them by default.
const iterations = 4096;
const keyBytes = 32;

const nonAsciiSpace = /[\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]/gu;
const mappedToNothing =
  /\u00AD|\u034F|\u1806|[\u180B-\u180D]|[\u200B-\u200D]|\u2060|[\uFE00-\uFE0F]|\uFEFF/gu;

/** The part of SASLprep (RFC 4013) that changes a password; both sides of a sign-in do it. */
const prepare = (password: string): string =>
  password.replaceAll(nonAsciiSpace, " ").replaceAll(mappedToNothing, "").normalize("NFKC");

const hmac = (key: Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();

/**
 * What Postgres keeps of a password (SCRAM-SHA-256, RFC 5802), so that a role can be given one without telling it. From the same
 * password and salt it is always the same text.
 */
export const scramVerifier = (password: string, salt: Buffer): string => {
  const salted = pbkdf2Sync(prepare(password), salt, iterations, keyBytes, "sha256");
  const storedKey = createHash("sha256").update(hmac(salted, "Client Key")).digest("base64");
  const serverKey = hmac(salted, "Server Key").toString("base64");
  return `SCRAM-SHA-256$${iterations}:${salt.toString("base64")}$${storedKey}:${serverKey}`;
};
