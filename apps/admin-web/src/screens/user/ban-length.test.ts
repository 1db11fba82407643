import { expect, test } from "vitest";
import { banSeconds } from "./ban-length.ts";

const now = new Date("2026-03-01T12:00:00Z");

test("a ban that names no length leaves it to the installation", () => {
  expect(banSeconds("usual", "", now)).toBeUndefined();
});

test("a ban for a time is in seconds", () => {
  expect(banSeconds("hour", "", now)).toBe(3600);
  expect(banSeconds("week", "", now)).toBe(604_800);
});

test("a ban until a day includes that day, and is over on one that has passed", () => {
  expect(banSeconds("until", "2026-03-01", now)).toBe(43_200);
  expect(banSeconds("until", "2026-03-02", now)).toBe(129_600);
  expect(banSeconds("until", "2026-02-28", now)).toBeLessThan(0);
});
