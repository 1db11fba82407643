import fc from "fast-check";
import { expect, test } from "vitest";
import { constantTimeEqual } from "./constant-time-equal.ts";

test("agrees with === on any two texts", () => {
  const text = fc.string({ unit: "binary", maxLength: 3 });
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(constantTimeEqual(a, b)).toBe(a === b);
      expect(constantTimeEqual(a, a)).toBe(true);
    }),
  );
});

test.each([
  ["", "a"],
  ["a", "ab"],
  ["a", "á"],
  ["\ud800", "\ufffd"],
  ["\ud800", "\ud801"],
])("%j and %j differ", (a, b) => {
  expect(constantTimeEqual(a, b)).toBe(false);
});
