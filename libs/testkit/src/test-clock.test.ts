import { expect, test } from "vitest";
import { createTestClock } from "./test-clock.ts";

test("time moves only on command", () => {
  const clock = createTestClock("2030-01-01T00:00:00Z");
  const start = clock.now();
  expect(new Date(start).toISOString()).toBe("2030-01-01T00:00:00.000Z");
  clock.advance(1_500);
  expect(clock.now() - start).toBe(1_500);
  clock.set("2031-01-01T00:00:00Z");
  expect(new Date(clock.now()).getUTCFullYear()).toBe(2031);
});

test("rejects a string that is not a date", () => {
  expect(() => createTestClock("soon")).toThrow(TypeError);
});
