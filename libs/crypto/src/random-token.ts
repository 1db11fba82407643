import { randomFillSync } from "node:crypto";

const digits = "0123456789";
const lowerCase = "abcdefghijklmnopqrstuvwxyz";
const alphabets = {
  letters: Buffer.from(lowerCase + lowerCase.toUpperCase()),
  alphanumeric: Buffer.from(lowerCase + lowerCase.toUpperCase() + digits),
  lowerAlphanumeric: Buffer.from(digits + lowerCase),
  urlSafe: Buffer.from(`${lowerCase}${lowerCase.toUpperCase()}${digits}-_`),
};

/** `letters` is a-z A-Z (5.7 bits a character), `alphanumeric` is a-z A-Z 0-9 (5.95 bits a character), `lowerAlphanumeric` is 0-9 a-z (5.17 bits), `urlSafe` is a-z A-Z 0-9 - _ (6 bits). */
export type TokenAlphabet = keyof typeof alphabets;

/** Random bytes fetched ahead, because a call to the generator costs more than a token; wiped as they are used. */
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

/** `length` characters drawn uniformly from a CSPRNG; throws `RangeError` unless `length` is a whole number from 1. */
export function randomToken(length: number, alphabet: TokenAlphabet): string {
  if (!Number.isSafeInteger(length) || length < 1)
    throw new RangeError("a token has at least one character");
  const characters = alphabets[alphabet];
  // Bytes from here on would favour the alphabet's first characters.
  const byteLimit = 256 - (256 % characters.length);
  const token = Buffer.allocUnsafe(length);
  for (let filled = 0; filled < length;) {
    const byte = nextByte();
    if (byte < byteLimit) token[filled++] = characters.readUInt8(byte % characters.length);
  }
  return token.toString("latin1");
}
