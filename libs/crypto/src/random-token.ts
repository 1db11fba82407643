import { hash, randomFillSync } from "node:crypto";

const digits = "0123456789";
const lowerCase = "abcdefghijklmnopqrstuvwxyz";
const alphabets = {
  letters: Buffer.from(lowerCase + lowerCase.toUpperCase()),
  alphanumeric: Buffer.from(lowerCase + lowerCase.toUpperCase() + digits),
  lowerAlphanumeric: Buffer.from(digits + lowerCase),
  readable: Buffer.from("ABCDEFGHJKLMNPQRSTUVWXYZ23456789"),
  urlSafe: Buffer.from(`${lowerCase}${lowerCase.toUpperCase()}${digits}-_`),
};

/**
 * Alphabets with their bits per character.
 * - `letters`: a-z A-Z (5.7 bits)
 * - `alphanumeric`: a-z A-Z 0-9 (5.95 bits)
 * - `lowerAlphanumeric`: 0-9 a-z (5.17 bits)
 * - `readable`: A-Z without I and O, and 2-9 (5 bits)
 * - `urlSafe`: a-z A-Z 0-9 - _ (6 bits)
 */
export type TokenAlphabet = keyof typeof alphabets;

/** Random bytes fetched in advance, because a call to the generator takes longer than a token. They are wiped when used. */
const pool = Buffer.alloc(4096);
let used = pool.length;

function nextByte(): number {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const byte = pool.readUInt8(used);
  pool[used] = 0;
  used += 1;
  return byte;
}

/** Returns `length` characters drawn uniformly from a CSPRNG. Throws `RangeError` unless `length` is an integer of at least 1. */
export function randomToken(length: number, alphabet: TokenAlphabet): string {
  if (!Number.isSafeInteger(length) || length < 1)
    throw new RangeError("a token has at least one character");
  const characters = alphabets[alphabet];
  // Bytes from this value on would favour the first characters of the alphabet.
  const byteLimit = 256 - (256 % characters.length);
  const token = Buffer.allocUnsafe(length);
  for (let filled = 0; filled < length;) {
    const byte = nextByte();
    if (byte < byteLimit) token[filled++] = characters.readUInt8(byte % characters.length);
  }
  return token.toString("latin1");
}

/**
 * Returns the SHA-256 of the UTF-8 token, 32 bytes. Stores keep and look up the hash instead of the token. It is unsalted and fast, so use
 * it only for random tokens, never for passwords.
 */
export function hashToken(token: string): Buffer {
  // Uses a text as intermediate, because Node allocates a separate buffer for each binary digest.
  return Buffer.from(hash("sha256", token, "latin1"), "latin1");
}
