import { expect, test } from "vitest";
import { addDays, countDays, dayOf } from "./days.ts";

test.each([
  ["2030-01-02T00:00:00.000Z", "2030-01-02"],
  ["2030-01-02T23:59:59.999Z", "2030-01-02"],
  ["2030-01-02T23:30:00.000-01:00", "2030-01-03"],
])("finds the day of %s: %s", (time, day) => {
  expect(dayOf(Date.parse(time))).toBe(day);
});

test.each([
  ["2030-03-01", -1, "2030-02-28"],
  ["2028-03-01", -1, "2028-02-29"],
  ["2030-12-31", 1, "2031-01-01"],
  ["2030-03-31", 0, "2030-03-31"],
])("%s plus %d days is %s", (day, count, other) => {
  expect(addDays(day, count)).toBe(other);
});

test.each([
  ["2030-03-31", "2030-03-31", 1],
  ["2028-01-01", "2028-12-31", 366],
  ["2030-01-02", "2030-01-01", 0],
])("counts the days from %s to %s as %d", (from, to, count) => {
  expect(countDays(from, to)).toBe(count);
});
