import fc from "fast-check";
import { expect, test } from "vitest";
import { createHashPool, HashPoolFullError, type HashPool } from "./hash-pool.ts";
import { hashPassword, verifyPassword } from "./password-hash.ts";

const pool = createHashPool({ concurrency: 2, queueMax: 100 });
const known =
  "000102030405060708090a0b0c0d0e0f:b3393ecbc930456cbacc38ae193a5551e3ddd112a10a43509328614d3bedc618" +
  "702f81674ea25a2b81f4c387674b06faab7abca7f934c4495a226d0e2dd823ab";

test.each(["pässword1①", "pässword11", "pa\u0308ssword11"])(
  "the hash of the test vector belongs to %j",
  async (password) => {
    expect(await verifyPassword(pool, known, password)).toBe(true);
  },
);

test.each(["", "pässword1", "Pässword11", "password11", "pässword11 "])(
  "the hash of the test vector does not belong to %j",
  async (password) => expect(await verifyPassword(pool, known, password)).toBe(false),
);

test("any password is verified by its own hash and by no changed one", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary" }), fc.nat(127), async (password, position) => {
      const stored = await hashPassword(pool, password);
      const at = 33 + position;
      const changed = stored.slice(0, at) + (stored[at] === "0" ? "1" : "0") + stored.slice(at + 1);
      expect(stored).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/);
      expect(await verifyPassword(pool, stored, password)).toBe(true);
      expect(await verifyPassword(pool, changed, password)).toBe(false);
    }),
    { numRuns: 5 },
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
  known.slice(0, -1),
  `${known}0`,
  known.toUpperCase(),
  "$2b$10$abc",
  `:${known}`,
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
  await expect(verifyPassword(full, known, "password")).rejects.toThrow(HashPoolFullError);
  await first;
});
