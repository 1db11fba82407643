import { expectNoLeaks } from "@latchkey/testkit";
import { beforeEach, expect, test } from "vitest";
import { createKeySet } from "./key-set.ts";
import { createTestKey } from "./tokens.fixture.ts";

expectNoLeaks("file");

const second = 1_000;
const minute = 60_000;

const jwks = await Promise.all(["k1", "k2"].map(async (kid) => (await createTestKey(kid)).jwk));
const [k1 = {}, k2 = {}] = jwks;

let now = 0;
let fetches = 0;
let published: Record<string, unknown>[] = [];
let isDown = false;
beforeEach(() => {
  now = 0;
  fetches = 0;
  published = [k1];
  isDown = false;
});

const create = () =>
  createKeySet({
    maxAgeMilliseconds: 10 * minute,
    clock: () => now,
    fetchKeys: async () => {
      fetches += 1;
      await Promise.resolve();
      if (isDown) throw new Error("down");
      return published;
    },
  });

test("fetches once for 16 concurrent callers, and not again while the keys are new", async () => {
  const keys = create();
  const foundKeys = await Promise.all(Array.from({ length: 16 }, () => keys.find("k1")));
  expect(foundKeys.map((key) => key?.kid)).toEqual(Array.from({ length: 16 }, () => "k1"));
  now = 10 * minute - 1;
  await keys.find("k1");
  expect(fetches).toBe(1);
});

test("finds a rotated key at its first use", async () => {
  const keys = create();
  await keys.find("k1");
  published = [k2, k1];
  now = 30 * second;
  expect(await keys.find("k2")).toMatchObject({ kid: "k2" });
  expect(fetches).toBe(2);
});

/** Attack: tokens with invented key ids make every server of the application call Latchkey. */
test("fetches unknown keys at most every 30 seconds", async () => {
  const keys = create();
  await keys.find("k1");
  for (let tries = 0; tries < 16; tries += 1) await keys.find(`invented${tries}`);
  expect(fetches).toBe(1);
  now = 30 * second;
  await Promise.all(Array.from({ length: 16 }, (_, tries) => keys.find(`invented${tries}`)));
  expect(fetches).toBe(2);
});

test("drops a key that is no longer published", async () => {
  const keys = create();
  await keys.find("k1");
  published = [k2];
  now = 10 * minute;
  expect(await keys.find("k1")).toBeUndefined();
});

test("uses the last keys for an hour of an outage, and no longer", async () => {
  const keys = create();
  await keys.find("k1");
  isDown = true;
  now = 60 * minute - 1;
  expect(await keys.find("k1")).toMatchObject({ kid: "k1" });
  now = 60 * minute;
  await expect(keys.find("k1")).rejects.toThrow("down");
});

test("does not call an unknown key invalid during an outage", async () => {
  const keys = create();
  await keys.find("k1");
  isDown = true;
  now = minute;
  await expect(keys.find("k2")).rejects.toThrow("down");
});

test("tries again two seconds after a failure", async () => {
  const keys = create();
  isDown = true;
  await expect(keys.find("k1")).rejects.toThrow("down");
  isDown = false;
  now = 2 * second - 1;
  await expect(keys.find("k1")).rejects.toThrow("down");
  expect(fetches).toBe(1);
  now = 2 * second;
  expect(await keys.find("k1")).toMatchObject({ kid: "k1" });
  expect(fetches).toBe(2);
});
