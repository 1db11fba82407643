import { createHash, createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSecretRing } from "./secret-ring.ts";
import {
  decodeSessionData,
  encodeSessionData,
  encodeSessionJson,
  SessionDataTooLargeError,
} from "./session-data.ts";

const secret = "test-secret-0123456789";
const ring = createSecretRing([secret]);
const expiresAt = 1_893_456_300_000;
const now = new Date(expiresAt - 1);
const time = new Date("2030-01-01T00:00:00.000Z");
const content = {
  session: {
    expiresAt: new Date("2030-01-08T00:00:00.000Z"),
    token: "abcdefghijklmnopqrstuvwxyzABCDEF",
    createdAt: time,
    updatedAt: time,
    ipAddress: "",
    userAgent: "UA",
    userId: "u1",
    id: "s1",
  },
  user: {
    name: "A",
    email: "a@ex.com",
    emailVerified: false,
    image: null,
    createdAt: time,
    updatedAt: time,
    id: "u1",
  },
};
const encoded = encodeSessionData(ring, { session: content, expiresAt });
const encode = (text: string) => Buffer.from(text).toString("base64url");

/** Wraps `inner` in the frame of a cookie, with an invalid signature of the right length. */
const unsigned = (inner: string) =>
  encode(`{"session":${inner},"expiresAt":${expiresAt},"signature":"${"A".repeat(43)}"}`);

describe("the session of the test vector", () => {
  test("has the expected signature and value", () => {
    const parsed = JSON.parse(Buffer.from(encoded, "base64url").toString()) as {
      signature: string;
    };
    expect(parsed.signature).toBe("xe635OFjyAeIDnDHaVsCbzaDlioxIKzVKL8HJo7LiKg");
    expect(encoded).toHaveLength(650);
    expect(createHash("sha256").update(encoded).digest("hex")).toBe(
      "7558da88f33dcfc08d02cc9ced053d39e4e2dd969b0919248270950c82f0f2d2",
    );
  });

  test("decodes to its JSON values in their order", () => {
    const decoded = decodeSessionData(ring, encoded, now);
    expect(decoded.ok && JSON.stringify(decoded.data.session)).toBe(JSON.stringify(content));
    expect(decoded.ok && decoded.data.expiresAt).toBe(expiresAt);
  });
});

describe("a user revision", () => {
  const counted = { ...content, epoch: 7 };
  const value = encodeSessionData(ring, { session: counted, expiresAt });

  test("follows the user and is covered by the signature", () => {
    const text = Buffer.from(value, "base64url").toString();
    const inner = JSON.stringify(content).slice(0, -1);
    const signature = createHmac("sha256", secret)
      .update(`${inner},"epoch":7,"expiresAt":${expiresAt}}`)
      .digest("base64url");
    expect(text).toBe(
      `{"session":${inner},"epoch":7},"expiresAt":${expiresAt},"signature":"${signature}"}`,
    );
  });

  test("is returned by decoding", () => {
    const decoded = decodeSessionData(ring, value, now);
    expect(decoded.ok && JSON.stringify(decoded.data.session)).toBe(JSON.stringify(counted));
  });

  /** Attack: a later version written into a cached session that a revocation invalidated. */
  test("that was changed, added or removed is a bad signature", () => {
    const text = Buffer.from(value, "base64url").toString();
    const plain = Buffer.from(encoded, "base64url").toString();
    for (const forged of [
      text.replace('"epoch":7', '"epoch":8'),
      text.replace(',"epoch":7', ""),
      plain.replace('},"expiresAt":1893', ',"epoch":7},"expiresAt":1893'),
    ])
      expect(decodeSessionData(ring, encode(forged), now)).toEqual({
        ok: false,
        reason: "bad-signature",
      });
  });

  test.each([Number.NaN, 1.5, -1, 2 ** 53])("of %d is rejected", (epoch) => {
    expect(() => encodeSessionData(ring, { session: { ...content, epoch }, expiresAt })).toThrow(
      TypeError,
    );
  });
});

test("a JSON text is encoded like the values in it", () => {
  const json = JSON.stringify(content);
  expect(encodeSessionJson(ring, { json, epoch: undefined, expiresAt })).toBe(encoded);
  expect(encodeSessionJson(ring, { json, epoch: 7, expiresAt })).toBe(
    encodeSessionData(ring, { session: { ...content, epoch: 7 }, expiresAt }),
  );
});

test("any JSON members survive a round trip", () => {
  const members = fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue({ maxDepth: 1 }), {
    maxKeys: 4,
  });
  fc.assert(
    fc.property(members, members, (session, user) => {
      const json = JSON.stringify({ session, user });
      fc.pre(json.length < 900);
      const decoded = decodeSessionData(
        ring,
        encodeSessionData(ring, { session: { session, user }, expiresAt }),
        now,
      );
      expect(decoded.ok && JSON.stringify(decoded.data.session)).toBe(json);
    }),
  );
});

test("members that look like the frame do not confuse the decoder", () => {
  const session = {
    a: '"},"expiresAt":1,"signature":"',
    expiresAt: { expiresAt: 1 },
    signature: "x",
  };
  const value = encodeSessionData(ring, {
    session: { session, user: { expiresAt: 2 } },
    expiresAt,
  });
  const data = { session: { session, user: { expiresAt: 2 } }, expiresAt };
  expect(decodeSessionData(ring, value, now)).toEqual({ ok: true, data });
});

/** Attack: a cookie edited by its holder. Every position is tried with every character of the alphabet. */
test("rejects a value with any character changed", () => {
  const user = { name: "\ufffd\u001f" };
  const value = encodeSessionData(ring, { session: { session: {}, user }, expiresAt });
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/. é";
  const accepted = [...value].flatMap((original, at) =>
    [...alphabet].filter((character) => {
      if (character === original) return false;
      return decodeSessionData(ring, value.slice(0, at) + character + value.slice(at + 1), now).ok;
    }),
  );
  expect(accepted).toEqual([]);
});

test.each([
  ["", "malformed"],
  ["@", "malformed"],
  [`${encoded}=`, "malformed"],
  [encode("text"), "malformed"],
  [encode('{"session":'), "malformed"],
  ["A".repeat(4094), "malformed"],
  [encode("null"), "bad-signature"],
  [encode('{"session":{"session":{},"user":{}},"expiresAt":1}'), "bad-signature"],
  [unsigned("{x}"), "malformed"],
  [unsigned('{"session":{},"user":{}}'), "bad-signature"],
] as const)("rejects %j as %s", (value, reason) => {
  expect(decodeSessionData(ring, value, now)).toEqual({ ok: false, reason });
});

test("a value is valid in its last millisecond and expired in the next", () => {
  expect(decodeSessionData(ring, encoded, new Date(expiresAt)).ok).toBe(true);
  expect(decodeSessionData(ring, encoded, new Date(expiresAt + 1))).toEqual({
    ok: false,
    reason: "expired",
  });
});

/** Attack: a later expiry written into an expired cookie. */
test("a changed expiry is a bad signature", () => {
  const text = Buffer.from(encoded, "base64url").toString();
  const longer = encode(text.replace(`"expiresAt":${expiresAt}`, `"expiresAt":${expiresAt + 1}`));
  expect(decodeSessionData(ring, longer, now)).toEqual({ ok: false, reason: "bad-signature" });
});

test("a session too large for a cookie throws a named error, and the largest that fits is decoded", () => {
  const sized = (length: number) => ({
    session: { session: {}, user: { name: "x".repeat(length) } },
    expiresAt,
  });
  const overhead = Buffer.from(encodeSessionData(ring, sized(0)), "base64url").length;
  const fits = Math.floor((4093 * 3) / 4) - overhead;
  const largest = encodeSessionData(ring, sized(fits));
  expect(largest.length).toBe(4092);
  expect(decodeSessionData(ring, largest, now).ok).toBe(true);
  expect(() => encodeSessionData(ring, sized(fits + 1))).toThrow(SessionDataTooLargeError);
});

test.each([Number.NaN, 1.5, -1, Number.POSITIVE_INFINITY])("rejects the expiry %d", (expiry) => {
  expect(() => encodeSessionData(ring, { session: content, expiresAt: expiry })).toThrow(TypeError);
});

test("after a rotation the old secret verifies and an unknown one does not", () => {
  expect(decodeSessionData(createSecretRing(["new", secret]), encoded, now).ok).toBe(true);
  expect(decodeSessionData(createSecretRing(["new"]), encoded, now)).toEqual({
    ok: false,
    reason: "bad-signature",
  });
});
