import { createCipheriv, createDecipheriv, randomBytes, type KeyObject } from "node:crypto";
import { decodeBase64url } from "./decode-base64url.ts";
import type { SecretRing } from "./secret-ring.ts";

const algorithm = "aes-256-gcm";
const version = "v1.";
const nonceBytes = 12;
const tagBytes = 16;

/** The purpose of a sealed value, alone or with the subject that the value belongs to. */
export type SealUse = string | { purpose: string; subject: string };

/**
 * Encrypts UTF-8 text so that only the same ring and purpose open it: `v1.` and the unpadded base64url of nonce, ciphertext and tag
 * (AES-256-GCM). The purpose, a fixed label, both derives the key and is authenticated, so a value moved to another column does not open.
 * The nonce is random: at most 2^32 values per secret and purpose (SP 800-38D). With `subject`, such as the id of the row's user, the value
 * opens only for that subject.
 */
export function seal(ring: SecretRing, use: SealUse, plaintext: string): string {
  const { purpose, subject } = useOf(use);
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, ring.derive(purpose)[0], nonce, {
    authTagLength: tagBytes,
  });
  cipher.setAAD(associatedData(purpose, subject));
  const body = [nonce, cipher.update(plaintext, "utf8"), cipher.final(), cipher.getAuthTag()];
  return version + Buffer.concat(body).toString("base64url");
}

/**
 * Returns the text of a sealed value. Returns undefined if it is malformed, tampered with, or of another secret, purpose or subject.
 */
export function unseal(ring: SecretRing, use: SealUse, sealed: string): string | undefined {
  const { purpose, subject } = useOf(use);
  if (!sealed.startsWith(version)) return undefined;
  const body = decodeBase64url(sealed.slice(version.length));
  if (body === undefined || body.length < nonceBytes + tagBytes) return undefined;
  for (const key of ring.derive(purpose)) {
    const plaintext = open(key, associatedData(purpose, subject), body);
    if (plaintext !== undefined) return plaintext;
  }
  return undefined;
}

function useOf(use: SealUse): { purpose: string; subject?: string } {
  return typeof use === "string" ? { purpose: use } : use;
}

function associatedData(purpose: string, subject: string | undefined): Buffer {
  return Buffer.from(subject === undefined ? purpose : `${purpose}\0${subject}`);
}

function open(key: KeyObject, associated: Buffer, body: Buffer): string | undefined {
  const decipher = createDecipheriv(algorithm, key, body.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(associated);
  decipher.setAuthTag(body.subarray(-tagBytes));
  const start = decipher.update(body.subarray(nonceBytes, -tagBytes));
  try {
    return Buffer.concat([start, decipher.final()]).toString();
  } catch {
    return undefined;
  }
}
