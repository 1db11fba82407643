import { optionsSchema } from "@latchkey/contracts";
import { createSecretRing, decodeSessionData } from "@latchkey/crypto";
import { beforeEach, expect, test } from "vitest";
import { createSessionCacheEncoder } from "./encode-session-cache.ts";

const ring = createSecretRing(["a secret for this test"]);
const now = Date.parse("2030-01-01T00:00:00.000Z");
const cached = { session: { id: "s" }, user: { id: "u" }, epoch: 7 };

let warnings: string[];
beforeEach(() => {
  warnings = [];
});

const encoderOf = (cookieCache: object, session: object = {}) =>
  createSessionCacheEncoder({
    config: optionsSchema.parse({ session: { ...session, cookieCache } }),
    ring,
    clock: () => now,
    logger: { warn: (message: unknown) => warnings.push(String(message)) },
  });

test("the cookie cache lives as long as configured", () => {
  const value = encoderOf({ enabled: true, maxAge: 60 })(cached) ?? "";
  expect(decodeSessionData(ring, value, new Date(now))).toEqual({
    ok: true,
    data: { session: cached, expiresAt: now + 60_000 },
  });
});

test("returns nothing while the cache is off", () => {
  expect(encoderOf({ enabled: false })(cached)).toBeUndefined();
  expect(encoderOf({ enabled: false })(undefined)).toBeUndefined();
  expect(warnings).toEqual([]);
});

test("returns nothing for a session that is too large, and logs that once", () => {
  const encode = encoderOf({ enabled: true });
  const large = { ...cached, user: { id: "u", image: "x".repeat(4_000) } };
  expect([encode(large), encode(undefined), encode(large)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(encode(cached)).toBeDefined();
  expect(warnings).toHaveLength(1);
});

test("caches the session and user of a reply as they are", () => {
  const json = '{"session":{"id":"s"},"user":{"id":"u","name":"\\u00fc ü"}}';
  const value = encoderOf({ enabled: true })({ json, epoch: 7 }) ?? "";
  const decoded = decodeSessionData(ring, value, new Date(now));
  expect(decoded.ok && decoded.data.session).toEqual({ ...JSON.parse(json), epoch: 7 });
});

test("does not cache whether a session is due to be extended", () => {
  const json = '{"session":{"id":"s"},"user":{"id":"u"},"needsRefresh":false}';
  const encode = encoderOf({ enabled: true }, { deferSessionRefresh: true });
  const decoded = decodeSessionData(ring, encode({ json, epoch: 7 }) ?? "", new Date(now));
  expect(decoded.ok && decoded.data.session).toEqual(cached);
});
