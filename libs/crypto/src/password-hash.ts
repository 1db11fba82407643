import { createHash, randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import type { HashPool } from "./hash-pool.ts";

/**
 * How a hash is stored. `phc` names the algorithm and its parameters: `$scrypt$ln=14,r=16,p=1$<salt>$<key>`, in base64 without padding.
 * `colon` is `<salt>:<key>` in lower-case hex, which earlier versions and better-auth write. Its parameters are fixed.
 */
export type PasswordHashForm = "colon" | "phc";

/** The parameters of scrypt. N is 2 to the power of `ln`. */
interface Cost {
  ln: number;
  r: number;
  p: number;
}

/** A stored hash with the salt as scrypt takes it. */
interface StoredHash extends Cost {
  salt: Buffer;
  key: Buffer;
}

const saltBytes = 16;
const keyBytes = 64;
const currentCost: Cost = { ln: 14, r: 16, p: 1 };
const colonCost: Cost = { ln: 14, r: 16, p: 1 };
/** A hash with costlier parameters counts as malformed, so that no imported row can exhaust the memory. */
const memoryMax = 128 * 1024 * 1024;
const parallelMax = 4;

const colonForm = /^([0-9a-f]{32}):([0-9a-f]{128})$/;
const phcForm =
  /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{43,86})$/;

const memoryOf = ({ ln, r }: Cost): number => 128 * 2 ** ln * r;

/** Section 2 of RFC 7914 limits N to less than 2^(16r). With a larger one, scrypt throws. */
const isUsable = (cost: Cost): boolean =>
  cost.ln > 0 &&
  cost.ln < 16 * cost.r &&
  cost.p > 0 &&
  cost.p <= parallelMax &&
  memoryOf(cost) <= memoryMax;

/** The salt in colon form is the hex text itself, not the decoded bytes, because existing hashes were created that way. */
const readHash = (stored: string): StoredHash | undefined => {
  const [, colonSalt, colonKey] = colonForm.exec(stored) ?? [];
  if (colonSalt !== undefined && colonKey !== undefined)
    return { ...colonCost, salt: Buffer.from(colonSalt), key: Buffer.from(colonKey, "hex") };
  const [, ln, r, p, salt, key] = phcForm.exec(stored) ?? [];
  if (salt === undefined || key === undefined) return undefined;
  const cost = { ln: Number(ln), r: Number(r), p: Number(p) };
  if (!isUsable(cost)) return undefined;
  return { ...cost, salt: Buffer.from(salt, "base64"), key: Buffer.from(key, "base64") };
};

const base64 = (bytes: Buffer): string => bytes.toString("base64").replace(/=+$/, "");

const phcStart = ({ ln, r, p }: Cost): string => `$scrypt$ln=${ln},r=${r},p=${p}$`;

/** Returns the beginning of every hash with a salt, up to the key. */
const startOf = (form: PasswordHashForm, salt: Buffer): string =>
  form === "colon" ? `${salt.toString("hex")}:` : `${phcStart(currentCost)}${base64(salt)}$`;

const hashWith = async (
  pool: HashPool,
  password: string,
  { form, salt }: { form: PasswordHashForm; salt: Buffer },
): Promise<string> => {
  const isColon = form === "colon";
  const key = await deriveKey(pool, password, {
    ...(isColon ? colonCost : currentCost),
    salt: isColon ? Buffer.from(salt.toString("hex")) : salt,
    keyBytes,
  });
  return `${startOf(form, salt)}${isColon ? key.toString("hex") : base64(key)}`;
};

/**
 * Returns the hash of the NFKC password with 16 random bytes of salt and a 64-byte scrypt key (N=16384, r=16, p=1). Rejects with
 * `HashPoolFullError` if the pool is full. The caller checks the length of the password.
 */
export function hashPassword(
  pool: HashPool,
  password: string,
  form: PasswordHashForm = "phc",
): Promise<string> {
  return hashWith(pool, password, { form, salt: randomBytes(saltBytes) });
}

/**
 * Returns whether `password` belongs to the stored hash, in either form. A malformed or missing hash returns false after the work of a
 * current one, so that the time of a sign-in does not reveal whether the account exists. Rejects with `HashPoolFullError` if the pool is
 * full.
 */
export async function verifyPassword(
  pool: HashPool,
  stored: string | null | undefined,
  password: string,
): Promise<boolean> {
  const storedHash = readHash(stored ?? "");
  const expected = storedHash ?? {
    ...currentCost,
    salt: Buffer.alloc(saltBytes),
    key: Buffer.alloc(keyBytes),
  };
  const actual = await deriveKey(pool, password, { ...expected, keyBytes: expected.key.length });
  return timingSafeEqual(actual, expected.key) && storedHash !== undefined;
}

/** Returns whether a text is a hash that `verifyPassword` can verify: in the given form, or in either. */
export function isPasswordHash(stored: string, form?: PasswordHashForm): boolean {
  return readHash(stored) !== undefined && (!form || (form === "colon") === colonForm.test(stored));
}

/** Derived from the stored hash, so that concurrent upgrades give the same hash. Stored hashes have random salts, so this one is unique. */
const upgradeSalt = (stored: string): Buffer =>
  createHash("sha256").update(`password upgrade ${stored}`).digest().subarray(0, saltBytes);

/** Returns whether a hash has the given form and the parameters of new hashes. */
const isCurrent = (stored: string, form: PasswordHashForm): boolean =>
  isPasswordHash(stored, form) && (form === "colon" || stored.startsWith(phcStart(currentCost)));

/**
 * Hashes a verified password again if its stored hash has other parameters or another form than new hashes. Otherwise returns undefined.
 * Concurrent calls return the same hash. Rejects with `HashPoolFullError` if the pool is full.
 */
export async function upgradePasswordHash(
  pool: HashPool,
  password: string,
  { stored, form }: { stored: string; form: PasswordHashForm },
): Promise<string | undefined> {
  if (isCurrent(stored, form)) return undefined;
  return hashWith(pool, password, { form, salt: upgradeSalt(stored) });
}

/** Returns whether a hash is the upgrade of another one, and therefore of the same password. Any new password gets a random salt. */
export function isPasswordUpgrade(hash: string, stored: string): boolean {
  const salt = upgradeSalt(stored);
  return hash.startsWith(startOf("phc", salt)) || hash.startsWith(startOf("colon", salt));
}

function deriveKey(
  pool: HashPool,
  password: string,
  { ln, r, p, salt, keyBytes }: Cost & { salt: Buffer; keyBytes: number },
): Promise<Buffer> {
  // The limits of `isUsable` apply. With few rounds, scrypt needs a multiple of `memoryOf`.
  const cost = { N: 2 ** ln, r, p, maxmem: 2 * memoryMax };
  return pool.run(
    () =>
      new Promise((resolve, reject) => {
        scrypt(password.normalize("NFKC"), salt, keyBytes, cost, (error, key) => {
          if (error === null) resolve(key);
          else reject(error);
        });
      }),
  );
}
