import { createCipheriv, createDecipheriv, randomBytes, type KeyObject } from "node:crypto";
import { decodeBase64url } from "./decode-base64url.ts";
import type { SealPurpose } from "./sealed-values.ts";
import type { SecretRing } from "./secret-ring.ts";

const algorithm = "aes-256-gcm";
const version = "v1.";
const nonceBytes = 12;
const tagBytes = 16;

/** The use of a sealed value: a purpose, or a purpose and the row that holds it, such as the id of its user. */
export type SealedFor = SealPurpose | { purpose: SealPurpose; subject: string };

/**
 * Encrypts UTF-8 text so that only the same ring and purpose open it: `v1.` and the unpadded base64url of nonce, ciphertext and tag
 * (AES-256-GCM). The purpose, a fixed label, both derives the key and is authenticated, so a value moved to another column does not open.
 * With a subject, a value moved to another row does not open either. The nonce is random: at most 2^32 values per secret and purpose (SP
 * 800-38D).
 */
export function seal(ring: SecretRing, sealedFor: SealedFor, plaintext: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, ring.derive(purposeOf(sealedFor))[0], nonce, {
    authTagLength: tagBytes,
  });
  cipher.setAAD(associatedData(sealedFor));
  const body = [nonce, cipher.update(plaintext, "utf8"), cipher.final(), cipher.getAuthTag()];
  return version + Buffer.concat(body).toString("base64url");
}

/**
 * Returns the text of a sealed value. Returns undefined if it is malformed, tampered with, or of another secret, purpose or subject.
 */
export function unseal(ring: SecretRing, sealedFor: SealedFor, sealed: string): string | undefined {
  if (!sealed.startsWith(version)) return undefined;
  const body = decodeBase64url(sealed.slice(version.length));
  if (body === undefined || body.length < nonceBytes + tagBytes) return undefined;
  for (const key of ring.derive(purposeOf(sealedFor))) {
    const plaintext = open(key, associatedData(sealedFor), body);
    if (plaintext !== undefined) return plaintext;
  }
  return undefined;
}

function purposeOf(sealedFor: SealedFor): string {
  return typeof sealedFor === "string" ? sealedFor : sealedFor.purpose;
}

function associatedData(sealedFor: SealedFor): Buffer {
  return Buffer.from(
    typeof sealedFor === "string" ? sealedFor : `${sealedFor.purpose}\0${sealedFor.subject}`,
  );
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
