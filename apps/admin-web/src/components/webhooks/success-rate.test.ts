import { expect, test } from "vitest";
import { successRate } from "./success-rate.ts";

test.each([
  [undefined, 0, 0],
  ["100%", 5, 0],
  ["0%", 0, 5],
  ["50%", 1, 1],
  ["99.9%", 99_999, 1],
])("is %s for %i delivered and %i failed", (shown, deliveredLastDay, failedAttemptsLastDay) => {
  expect(successRate({ deliveredLastDay, failedAttemptsLastDay })).toBe(shown);
});
