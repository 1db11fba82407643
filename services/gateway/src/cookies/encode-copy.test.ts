import { optionsSchema } from "@latchkey/contracts";
import { createSecretRing, decodeSessionData } from "@latchkey/crypto";
import { beforeEach, expect, test } from "vitest";
import { createCopyEncoder } from "./encode-copy.ts";

const ring = createSecretRing(["a secret for this test"]);
const now = Date.parse("2030-01-01T00:00:00.000Z");
const cached = { session: { id: "s" }, user: { id: "u" }, epoch: 7 };

let warnings: string[];
beforeEach(() => {
  warnings = [];
});

const encoderOf = (cookieCache: object) =>
  createCopyEncoder({
    config: optionsSchema.parse({ session: { cookieCache } }),
    ring,
    clock: () => now,
    logger: { warn: (message: unknown) => warnings.push(String(message)) },
  });

test("a copy lives as long as the options say", () => {
  const value = encoderOf({ enabled: true, maxAge: 60 })(cached) ?? "";
  expect(decodeSessionData(ring, value, new Date(now))).toEqual({
    ok: true,
    data: { session: cached, expiresAt: now + 60_000 },
  });
});

test("there is none while the cache is off", () => {
  expect(encoderOf({ enabled: false })(cached)).toBeUndefined();
  expect(encoderOf({ enabled: false })(undefined)).toBeUndefined();
  expect(warnings).toEqual([]);
});

test("there is none of what is too large, which is said once and breaks nothing", () => {
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
