import { expect, test } from "vitest";
import { banSeconds } from "./ban-length.ts";

const now = new Date("2026-03-01T12:00:00Z");

test("leaves the length to the installation if none is chosen", () => {
  expect(banSeconds("usual", "", now)).toBeUndefined();
});

test("returns the seconds of a chosen duration", () => {
  expect(banSeconds("hour", "", now)).toBe(3600);
  expect(banSeconds("week", "", now)).toBe(604_800);
});

test("ends a ban at the end of its last day, and returns a negative length for a past day", () => {
  expect(banSeconds("until", "2026-03-01", now)).toBe(43_200);
  expect(banSeconds("until", "2026-03-02", now)).toBe(129_600);
  expect(banSeconds("until", "2026-02-28", now)).toBeLessThan(0);
});
