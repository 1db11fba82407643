import { expect, test } from "vitest";
import { readRetryAfter } from "./send-delivery.ts";

const now = Date.parse("2030-01-02T03:04:05Z");

test.each([
  [undefined, 0],
  ["", 0],
  ["soon", 0],
  ["120", 120],
  ["Wed, 02 Jan 2030 03:05:05 GMT", 60],
  ["Wed, 02 Jan 2030 03:03:05 GMT", 0],
  ["999999", 86_400],
  ["9".repeat(400), 86_400],
])("Retry-After %s is a rest of %d seconds", (value, seconds) => {
  expect(readRetryAfter(value, now)).toBe(seconds);
});
