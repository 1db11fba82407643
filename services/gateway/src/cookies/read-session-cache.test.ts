import { createSecretRing, encodeSessionData } from "@latchkey/crypto";
import { createTestClock } from "@latchkey/testkit";
import { beforeEach, describe, expect, test } from "vitest";
import { createSessionCacheReader, type SessionCacheReader } from "./read-session-cache.ts";

const ring = createSecretRing(["the newer secret", "the older secret"]);
const session = { id: "s", token: "token", expiresAt: "2030-01-08T00:00:00.000Z" };
const user = { id: "u", name: "Ada" };

let clock: ReturnType<typeof createTestClock>;
let caches: SessionCacheReader;
beforeEach(() => {
  clock = createTestClock();
  caches = createSessionCacheReader({ ring, clock: clock.now });
});

const read = (cache: string) => caches.read({ cache });
const encode = (given: object = {}, signing = ring) =>
  encodeSessionData(signing, {
    session: { session, user, epoch: 7, ...given },
    expiresAt: clock.now() + 1_000,
  });

describe("a session cookie cache that we signed", () => {
  test("is decoded to the reply of get-session", () => {
    expect(read(encode())).toEqual({
      token: "token",
      userId: "u",
      epoch: 7,
      expiresAt: clock.now() + 1_000,
      sessionExpiresAt: Date.parse(session.expiresAt),
      json: JSON.stringify({ session, user }),
    });
  });

  test.each(["the newer secret", "the older secret"])("under %s is decoded", (secret) => {
    const value = encode({}, createSecretRing([secret]));
    expect(read(value)?.userId).toBe("u");
  });

  test("without a user revision has none", () => {
    expect(read(encode({ epoch: undefined }))?.epoch).toBeUndefined();
  });

  test("gives the same result for the same cookies until it expires", () => {
    const cookies = { cache: encode() };
    const first = caches.read(cookies);
    expect(caches.read(cookies)).toBe(first);
    clock.advance(1_000);
    expect(caches.read(cookies)).toBe(first);
    clock.advance(1);
    expect(caches.read(cookies)).toBeUndefined();
  });

  test("names its owner", () => {
    const other = encode({ session: { ...session, token: "other" } });
    expect([read(encode())?.token, read(other)?.token]).toEqual(["token", "other"]);
  });
});

test("cookies without a cache have none", () => {
  expect(caches.read({ cache: undefined })).toBeUndefined();
});

/** Attack: a different value, once a valid one is known. */
test.each<[string, (good: string) => string]>([
  ["nothing", () => ""],
  ["half of it", (good) => good.slice(0, good.length / 2)],
  ["all but its last character", (good) => good.slice(0, -1)],
  ["more after it", (good) => `${good}A`],
  ["text that is no base64", (good) => `${good}!`],
  ["base64 of no JSON", () => "AAAA"],
  ["a changed character", (good) => `f${good.slice(1)}`],
  ["the cache of another secret", () => encode({}, createSecretRing(["a secret of strangers"]))],
  [
    "a later epoch",
    (good) =>
      Buffer.from(
        Buffer.from(good, "base64url").toString().replace('"epoch":7', '"epoch":8'),
      ).toString("base64url"),
  ],
])("rejects %s, before a valid value and after it", (_case, forge) => {
  const good = encode();
  expect(read(forge(good))).toBeUndefined();
  expect(read(good)?.userId).toBe("u");
  expect(read(forge(good))).toBeUndefined();
});
