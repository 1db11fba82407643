import { expect, test } from "vitest";
import { isStale } from "./is-stale.ts";

const since = new Date(1_000_000);

test.each([
  ["fresh before it reaches the age", 60, 59_999, false],
  ["stale when it reaches the age", 60, 60_000, true],
  ["stale after", 60, 61_000, true],
  ["always fresh if the age is zero", 0, 1e12, false],
  ["fresh where clocks differ", 60, -5_000, false],
])("a session is %s", (_case, freshAgeSeconds, elapsed, expected) => {
  expect(isStale(since, { now: since.getTime() + elapsed, freshAgeSeconds })).toBe(expected);
});
