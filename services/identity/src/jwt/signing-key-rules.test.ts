import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  handoverMilliseconds,
  inSigningOrder,
  isOfKind,
  isPublished,
  isTakingOver,
  publishedUntil,
  refreshMilliseconds,
  stateOf,
  unpublishedUntil,
} from "./signing-key-rules.ts";

const now = Date.parse("2030-01-01T00:00:00.000Z");
const jwks = {
  keyPairConfig: { alg: "EdDSA", crv: "Ed25519" },
  disablePrivateKeyEncryption: false,
  gracePeriod: 600,
} as const;
const key = (createdAgo: number, retiredAgo?: number) => ({
  createdAt: new Date(now - createdAgo),
  retiredAt: retiredAgo === undefined ? null : new Date(now - retiredAgo),
});
const handover = handoverMilliseconds;

test.each([
  ["the only key signs, however new it is", [key(0)], [0]],
  [
    "a new key does not sign while the previous one can",
    [key(handover - 1), key(handover * 9, handover - 1)],
    [1, 0],
  ],
  [
    "a key that has been published for long enough signs",
    [key(handover), key(handover * 9, handover)],
    [0, 1],
  ],
  ["of several that are not retired the newest signs", [key(handover), key(handover * 2)], [0, 1]],
  ["an active key comes before a newer retired one", [key(handover, 1), key(handover * 2)], [1, 0]],
  ["of new keys only, the oldest signs", [key(1), key(2, 1), key(3, 2)], [2, 1, 0]],
  ["a key from the future does not sign while another can", [key(-60_000), key(handover)], [1, 0]],
])("%s", (_, keys, order) => {
  expect(inSigningOrder(keys, now)).toEqual(order.map((index) => keys[index]));
});

describe("the state of keys", () => {
  const states = (
    keys: readonly (readonly [...times: Parameters<typeof key>, opens?: false])[],
  ) => {
    const keyList = keys.map(([createdAgo, retiredAgo, opens = true]) =>
      Object.assign(key(createdAgo, retiredAgo), { opens }),
    );
    return keyList.map((one) => stateOf(one, keyList, now));
  };

  test.each([
    ["the only key signs", [[0]], ["signing"]],
    ["a new key is next while the one before it signs", [[1], [handover, 1]], ["next", "signing"]],
    [
      "the newest key signs after the handover, and the earlier ones are published",
      [[handover], [handover * 2, handover], [handover * 3, handover * 2]],
      ["signing", "published", "published"],
    ],
    [
      "a key that was retired before it signed is published",
      [[1], [2, 1], [handover, 2]],
      ["next", "published", "signing"],
    ],
    [
      "a key that does not open neither signs nor will",
      [
        [1, undefined, false],
        [handover, 1],
      ],
      ["published", "signing"],
    ],
    ["where none opens, none signs", [[handover, undefined, false]], ["published"]],
  ] as const)("%s", (_, keys, expected) => {
    expect(states(keys)).toEqual(expected);
  });

  test.each([
    ["no key", [], false],
    ["the first one, however new", [key(0)], false],
    ["a new key next to another", [key(handover - 1), key(handover * 2, handover - 1)], true],
    ["a key after its handover", [key(handover), key(handover * 2, handover)], false],
  ])("%s: a handover is pending: %s", (_, keys, expected) => {
    expect(isTakingOver(keys, now)).toBe(expected);
  });

  test("tokens of a retired key can be verified for as long as it is published", () => {
    const retired = key(handover * 2, handover);
    const end = publishedUntil(retired, jwks)?.getTime() ?? 0;
    expect(isPublished(retired, jwks, end - 1)).toBe(true);
    expect(isPublished(retired, jwks, end)).toBe(false);
    expect(publishedUntil(key(handover), jwks)).toBeNull();
  });
});

test("ordering neither loses nor adds keys", () => {
  const keys = fc.array(
    fc.tuple(
      fc.integer({ min: -handover, max: handover * 3 }),
      fc.option(fc.nat(handover), { nil: undefined }),
    ),
  );
  fc.assert(
    fc.property(keys, (times) => {
      const keyList = times.map(([created, retired]) => key(created, retired));
      expect(new Set(inSigningOrder(keyList, now))).toEqual(new Set(keyList));
    }),
  );
});

test("a retired key is published until its grace period ends, which begins when the next one signs", () => {
  const until = handover + 600_000;
  expect(isPublished(key(until * 2, until - 1), jwks, now)).toBe(true);
  expect(isPublished(key(until * 2, until), jwks, now)).toBe(false);
  expect(isPublished(key(until * 2), jwks, now)).toBe(true);
  expect(unpublishedUntil(jwks, now)).toEqual(new Date(now - until));
});

test("a new key is published by every replica, and verifiers that just fetched may fetch again, before it signs", () => {
  const verifiersRestMilliseconds = 30_000;
  expect(handover).toBeGreaterThan(2 * refreshMilliseconds + verifiersRestMilliseconds);
});

const modulus = (bits: number) => Buffer.alloc(Math.ceil(bits / 8), 0xff).toString("base64url");
test.each([
  [true, "EdDSA", { crv: "Ed25519" }, { alg: "EdDSA", crv: "Ed25519" }],
  [false, "EdDSA", { crv: "Ed448" }, { alg: "EdDSA", crv: "Ed25519" }],
  [false, "ES256", { crv: "P-256" }, { alg: "EdDSA", crv: "Ed25519" }],
  [true, "ES256", { crv: "P-256" }, { alg: "ES256" }],
  [false, "ES256", { crv: "P-256" }, { alg: "ES512" }],
  [true, "RS256", { n: modulus(2048) }, { alg: "RS256", modulusLength: 2048 }],
  [true, "RS256", { n: modulus(2049) }, { alg: "RS256", modulusLength: 2049 }],
  [false, "RS256", { n: modulus(2048) }, { alg: "RS256", modulusLength: 3072 }],
  [false, "PS256", { n: modulus(2048) }, { alg: "RS256", modulusLength: 2048 }],
  [false, "RS256", {}, { alg: "RS256", modulusLength: 2048 }],
] as const)("%j: a key of %s, %j where %j is wanted", (answer, alg, publicJwk, wanted) => {
  expect(isOfKind({ alg, publicJwk }, wanted)).toBe(answer);
});
