import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createHashPool, HashPoolFullError, type HashPool } from "./hash-pool.ts";
import {
  hashPassword,
  isPasswordHash,
  isPasswordUpgrade,
  upgradePasswordHash,
  verifyPassword,
} from "./password-hash.ts";

const pool = createHashPool({ concurrency: 2, queueMax: 100 });
const storedHash =
  "000102030405060708090a0b0c0d0e0f:b3393ecbc930456cbacc38ae193a5551e3ddd112a10a43509328614d3bedc618" +
  "702f81674ea25a2b81f4c387674b06faab7abca7f934c4495a226d0e2dd823ab";

const bytes = (hex: string) => Buffer.from(hex, "hex").toString("base64").replace(/=+$/, "");
/** The same salt and key with their algorithm. The salt is text there, so its bytes are those of its hex digits. */
const [salt = "", key = ""] = storedHash.split(":");
const named = `$scrypt$ln=14,r=16,p=1$${bytes(Buffer.from(salt).toString("hex"))}$${bytes(key)}`;
/** The third test vector of RFC 7914, of the password `pleaseletmein`. */
const cheaper = `$scrypt$ln=14,r=8,p=1$${bytes(Buffer.from("SodiumChloride").toString("hex"))}$${bytes(
  "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887",
)}`;

describe.each([
  ["without a name", storedHash],
  ["that names its algorithm", named],
])("a hash %s", (_, hash) => {
  test.each(["pässword1①", "pässword11", "pa\u0308ssword11"])(
    "the hash of the test vector belongs to %j",
    async (password) => expect(await verifyPassword(pool, hash, password)).toBe(true),
  );
});

test("the parameters of a hash are those that it names", async () => {
  expect(await verifyPassword(pool, cheaper, "pleaseletmein")).toBe(true);
  expect(await verifyPassword(pool, cheaper, "pleaseletmeout")).toBe(false);
});

/** Attack: an imported hash whose parameters scrypt rejects makes each sign-in of that user fail with 500. */
test.each(["ln=0,r=1,p=1", "ln=1,r=1,p=4", "ln=15,r=1,p=1", "ln=16,r=1,p=1", "ln=99,r=99,p=99"])(
  "a wrong password for a hash with the parameters %s is false",
  async (parameters) => {
    const hash = named.replace("ln=14,r=16,p=1", parameters);
    expect(await verifyPassword(pool, hash, "pässword11")).toBe(false);
  },
);

test.each(["", "pässword1", "Pässword11", "password11", "pässword11 "])(
  "the hash of the test vector does not belong to %j",
  async (password) => expect(await verifyPassword(pool, storedHash, password)).toBe(false),
);

test.each(["phc", "colon"] as const)(
  "any password is verified by its own hash and by no changed one: %s",
  { timeout: 60_000 }, // nine hashes, beside everything else that runs
  async (form) => {
    const start = form === "colon" ? 33 : "$scrypt$ln=14,r=16,p=1$".length + 23;
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), fc.nat(84), async (password, position) => {
        const stored = await hashPassword(pool, password, form);
        const at = start + position;
        const changed =
          stored.slice(0, at) + (stored[at] === "0" ? "1" : "0") + stored.slice(at + 1);
        expect(isPasswordHash(stored, form)).toBe(true);
        expect(await verifyPassword(pool, stored, password)).toBe(true);
        expect(await verifyPassword(pool, changed, password)).toBe(false);
      }),
      { numRuns: 3 },
    );
  },
);

test("a new hash names its algorithm and parameters", async () => {
  expect(await hashPassword(pool, "password")).toMatch(
    /^\$scrypt\$ln=14,r=16,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{86}$/,
  );
});

test("the same password never has the same hash twice", async () => {
  expect(await hashPassword(pool, "password")).not.toBe(await hashPassword(pool, "password"));
});

/** Attack: measuring the response time to find out that an account has no password or does not exist. */
test.each([
  undefined,
  null,
  "",
  ":",
  storedHash.slice(0, -1),
  `${storedHash}0`,
  storedHash.toUpperCase(),
  "$2b$10$abc",
  named.slice(0, 60),
  `${named}=`,
  named.replace("ln=14", "ln=40"),
  named.replace("r=16", "r=0"),
  named.replace("p=1", "p=99"),
  named.replace("scrypt", "argon2id"),
  `:${storedHash}`,
])("an unusable hash %j is false after the work of one hash", async (stored) => {
  let hashes = 0;
  const counting: HashPool = {
    ...pool,
    run(job) {
      hashes += 1;
      return pool.run(job);
    },
  };
  expect(await verifyPassword(counting, stored, "pässword11")).toBe(false);
  expect(hashes).toBe(1);
});

test("a full pool refuses to hash and to verify", async () => {
  const full = createHashPool({ concurrency: 1, queueMax: 0 });
  const first = hashPassword(full, "password");
  await expect(hashPassword(full, "password")).rejects.toThrow(HashPoolFullError);
  await expect(verifyPassword(full, storedHash, "password")).rejects.toThrow(HashPoolFullError);
  await first;
});

describe("an upgrade", () => {
  const password = "pässword11";

  test.each([
    ["phc", named],
    ["colon", storedHash],
  ] as const)("does no work for a current hash in the form %s", async (form, stored) => {
    const unused: HashPool = { ...pool, run: () => Promise.reject(new Error("used")) };
    expect(await upgradePasswordHash(unused, password, { stored, form })).toBeUndefined();
  });

  test.each([
    ["phc", storedHash],
    ["phc", cheaper],
    ["phc", "a hash of another kind"],
    ["colon", named],
  ] as const)("to the form %s of the hash %s verifies the same password", async (form, stored) => {
    const hash = await upgradePasswordHash(pool, password, { stored, form });
    expect(isPasswordHash(hash ?? "", form)).toBe(true);
    expect(await verifyPassword(pool, hash, password)).toBe(true);
  });

  test("has the same result for concurrent calls, and another one for another hash", async () => {
    const [one, two, other] = await Promise.all(
      [storedHash, storedHash, cheaper].map((stored) =>
        upgradePasswordHash(pool, password, { stored, form: "phc" }),
      ),
    );
    expect(two).toBe(one);
    expect(other).not.toBe(one);
  });

  /** Attack: a sign-in by the old password continues after the password was replaced. */
  test("is told from a new password", async () => {
    const hash =
      (await upgradePasswordHash(pool, password, { stored: storedHash, form: "phc" })) ?? "";
    expect(isPasswordUpgrade(hash, storedHash)).toBe(true);
    expect(isPasswordUpgrade(await hashPassword(pool, password), storedHash)).toBe(false);
    expect(isPasswordUpgrade(hash, named)).toBe(false);
  });
});
