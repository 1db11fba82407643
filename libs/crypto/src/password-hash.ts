import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import type { HashPool } from "./hash-pool.ts";

const keyBytes = 64;
const cost = { N: 16_384, r: 16, p: 1 };
/** Twice the 32 MiB that one hash needs. The default limit is just too low. */
const maxmem = 128 * cost.N * cost.r * 2;

const storedForm = /^([0-9a-f]{32}):([0-9a-f]{128})$/;

/**
 * Returns `<salt>:<key>`: 16 random bytes and the 64-byte scrypt key (N=16384, r=16, p=1) of the NFKC password, both in lower-case hex.
 * Rejects with `HashPoolFullError` if the pool is full. The caller checks the length of the password.
 */
export async function hashPassword(pool: HashPool, password: string): Promise<string> {
  const salt = randomBytes(16).toString("hex");
  const key = await deriveKey(pool, password, salt);
  return `${salt}:${key.toString("hex")}`;
}

/**
 * Returns whether `password` belongs to the stored hash. A malformed or missing hash returns false after the same work, so that the time
 * of a sign-in does not reveal whether the account exists. Rejects with `HashPoolFullError` if the pool is full.
 */
export async function verifyPassword(
  pool: HashPool,
  stored: string | null | undefined,
  password: string,
): Promise<boolean> {
  const [, salt, key] = storedForm.exec(stored ?? "") ?? [];
  const known = salt !== undefined && key !== undefined;
  const expected = known ? Buffer.from(key, "hex") : Buffer.alloc(keyBytes);
  const actual = await deriveKey(pool, password, salt ?? "0".repeat(32));
  return timingSafeEqual(actual, expected) && known;
}

/** Returns whether a text has the form of a hash from `hashPassword`. */
export function isPasswordHash(stored: string): boolean {
  return storedForm.test(stored);
}

/** Uses the hex text of the salt as the salt, not the decoded bytes, because existing hashes were created that way. */
function deriveKey(pool: HashPool, password: string, salt: string): Promise<Buffer> {
  return pool.run(
    () =>
      new Promise((resolve, reject) => {
        scrypt(password.normalize("NFKC"), salt, keyBytes, { ...cost, maxmem }, (error, key) => {
          if (error === null) resolve(key);
          else reject(error);
        });
      }),
  );
}
