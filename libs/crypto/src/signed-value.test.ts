import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSecretRing } from "./secret-ring.ts";
import { signValue, verifySignedValue } from "./signed-value.ts";

const ring = createSecretRing(["test-secret-0123456789"]);
const vectors = [
  [
    "abcdefghijklmnopqrstuvwxyzABCDEF",
    "abcdefghijklmnopqrstuvwxyzABCDEF.lymMNZ6Kg6UiNB3pF%2FaWvn4NVeqXWodEoiV10XuzEuQ%3D",
  ],
  ["true", "true.LhY7xt0sNig3wePVkf%2BhBz%2FfDilc1jh7fsAV7Wc%2FgCo%3D"],
] as const;

describe.each(vectors)("the test vector %s", (value, signed) => {
  test("is signed as expected", () => expect(signValue(ring, value)).toBe(signed));
  test("verifies percent-encoded", () => expect(verifySignedValue(ring, signed)).toBe(value));
  test("verifies bare", () =>
    expect(verifySignedValue(ring, decodeURIComponent(signed))).toBe(value));
});

test("any non-empty value, including dots and percent signs, survives a round trip", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", minLength: 1 }), (value) => {
      expect(verifySignedValue(ring, signValue(ring, value))).toBe(value);
    }),
  );
});

/** Attack: a cookie edited by its holder. */
test("rejects a value with any character changed", () => {
  const anyCharacter = fc.string({ unit: "binary", minLength: 1, maxLength: 1 });
  const anyValue = fc.string({ unit: "grapheme-ascii", minLength: 1 });
  fc.assert(
    fc.property(anyValue, fc.nat(), anyCharacter, (value, position, character) => {
      const text = decodeURIComponent(signValue(ring, value));
      const at = position % text.length;
      fc.pre(text[at] !== character);
      const changed = text.slice(0, at) + character + text.slice(at + 1);
      expect(verifySignedValue(ring, encodeURIComponent(changed))).toBeUndefined();
    }),
    { numRuns: 1000 },
  );
});

test.each([
  "",
  ".",
  "value",
  "value.",
  ".lymMNZ6Kg6UiNB3pF/aWvn4NVeqXWodEoiV10XuzEuQ=",
  "true.LhY7xt0sNig3wePVkf+hBz/fDilc1jh7fsAV7Wc/gCo",
  "true.LhY7xt0sNig3wePVkf-hBz_fDilc1jh7fsAV7Wc_gCo=",
  "true.LhY7xt0sNig3wePVkf+hBz/fDilc1jh7fsAV7Wc/gCp=",
  "true.LhY7xt0sNig3wePVkf%2BhBz%2FfDilc1jh7fsAV7Wc%2FgCo%3",
  "%E0%A4%A.LhY7xt0sNig3wePVkf%2BhBz%2FfDilc1jh7fsAV7Wc%2FgCo%3D",
  '"true.LhY7xt0sNig3wePVkf+hBz/fDilc1jh7fsAV7Wc/gCo="',
])("rejects the malformed text %j", (raw) => {
  expect(verifySignedValue(ring, raw)).toBeUndefined();
});

test("after a rotation the old secret verifies, the new one signs and an unknown one is rejected", () => {
  const rotated = createSecretRing(["new", ...ring.all]);
  expect(verifySignedValue(rotated, signValue(ring, "v"))).toBe("v");
  expect(signValue(rotated, "v")).toBe(signValue(createSecretRing(["new"]), "v"));
  expect(verifySignedValue(ring, signValue(rotated, "v"))).toBeUndefined();
});
