import { expect, test } from "vitest";
import { totalText } from "./row-words.ts";

test.each([
  [0, false, "0 users"],
  [1, false, "1 user"],
  [10_000, false, "10,000 users"],
  [1_203_400, true, "about 1,203,400 users"],
])("%i, an estimate: %s", (total, isEstimate, text) => {
  expect(totalText(total, "users", isEstimate)).toBe(text);
});
