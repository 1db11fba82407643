import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { randomToken } from "./random-token.ts";

describe.each([
  ["alphanumeric", /^[a-zA-Z0-9]*$/, 62],
  ["lowerAlphanumeric", /^[0-9a-z]*$/, 36],
] as const)("a token of the alphabet %s", (alphabet, pattern, count) => {
  test("has the requested length and no foreign character", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), (length) => {
        const token = randomToken(length, alphabet);
        expect(token).toHaveLength(length);
        expect(token).toMatch(pattern);
      }),
    );
  });

  test("uses every character with equal probability", () => {
    const perCharacter = 5_000;
    const counts = new Map<string, number>();
    for (const character of randomToken(count * perCharacter, alphabet)) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    expect(counts.size).toBe(count);
    // Seven standard deviations: by chance less than once in 10^9 runs, while a plain modulo deviates far more.
    const tolerance = 7 * Math.sqrt(perCharacter);
    for (const seen of counts.values())
      expect(Math.abs(seen - perCharacter)).toBeLessThan(tolerance);
  });
});

test("tokens do not repeat, even across refills of the pool", () => {
  const tokens = Array.from({ length: 10_000 }, () => randomToken(24, "alphanumeric"));
  expect(new Set(tokens).size).toBe(tokens.length);
});

test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])("rejects the length %d", (length) => {
  expect(() => randomToken(length, "alphanumeric")).toThrow(RangeError);
});
