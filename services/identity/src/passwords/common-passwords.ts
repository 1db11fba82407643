import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";

/**
 * The common passwords that `scripts/common-passwords.ts` collects. The file has no password, only the first five bytes of the SHA-256 of
 * each, in order. It begins with 65,536 counts of one byte, by the first two bytes of the hash. The other three bytes of each hash follow.
 * One in two million other passwords has the bytes of a common one by chance (ADR 121).
 */
export const commonPasswordsFile = new URL("./common-passwords.bin", import.meta.url);

/** Shorter passwords are left out, because the default minimum length refuses them. */
export const commonPasswordLengthMin = 8;

const bucketCount = 65_536;
const restBytes = 3;

/** Returns the form in which passwords are compared: common passwords stay common with capitals or in another Unicode form. */
const comparedForm = (password: string): string => password.normalize("NFKC").toLowerCase();

const prefixOf = (compared: string): Buffer =>
  hash("sha256", compared, "buffer").subarray(0, 2 + restBytes);

/** Encodes a list of passwords. */
export const encodeCommonPasswords = (
  passwords: readonly string[],
): { bytes: Buffer; count: number } => {
  const compared = new Set(
    passwords.map(comparedForm).filter((one) => one.length >= commonPasswordLengthMin),
  );
  const prefixes = [...compared].map(prefixOf).toSorted((one, other) => one.compare(other));
  const counts = Buffer.alloc(bucketCount);
  for (const prefix of prefixes) {
    const bucket = prefix.readUInt16BE(0);
    counts.writeUInt8(counts.readUInt8(bucket) + 1, bucket);
  }
  const rests = prefixes.map((prefix) => prefix.subarray(2));
  return { bytes: Buffer.concat([counts, ...rests]), count: prefixes.length };
};

/** Creates a check whether a password is one of an encoded list. */
export const createCommonPasswordCheck = (bytes: Buffer): ((password: string) => boolean) => {
  const starts = new Uint32Array(bucketCount + 1);
  for (let bucket = 0; bucket < bucketCount; bucket += 1)
    starts[bucket + 1] = (starts[bucket] ?? 0) + bytes.readUInt8(bucket);
  const restAt = (index: number) => bytes.readUIntBE(bucketCount + index * restBytes, restBytes);
  return (password) => {
    const prefix = prefixOf(comparedForm(password));
    const bucket = prefix.readUInt16BE(0);
    const rest = prefix.readUIntBE(2, restBytes);
    const [start = 0, end = 0] = starts.subarray(bucket, bucket + 2);
    for (let index = start; index < end; index += 1) if (restAt(index) === rest) return true;
    return false;
  };
};

/** Reads the common passwords, of which a process needs 2 MB of memory. */
export const readCommonPasswords = async (): Promise<(password: string) => boolean> =>
  createCommonPasswordCheck(await readFile(commonPasswordsFile));
