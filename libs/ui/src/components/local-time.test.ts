import { expect, test } from "vitest";
import { isTime, ofLocalTime, toLocalTime } from "./local-time.ts";

/** Returns the local form of a time, whatever the zone of the machine. */
const localOf = (year: number, month: number, day: number, hour: number, minute: number) =>
  [new Date(year, month - 1, day, hour, minute).toISOString(), "from"] as const;

test("shows a time in the local zone, to the minute", () => {
  expect(toLocalTime(...localOf(2026, 3, 9, 4, 5))).toBe("2026-03-09T04:05");
  expect(toLocalTime(undefined, "from")).toBe("");
  expect(toLocalTime("soon", "from")).toBe("");
});

test("returns the first moment of a start and the last of an end", () => {
  const [start] = localOf(2026, 3, 9, 4, 5);
  const end = new Date(Date.parse(start) + 59_999).toISOString();
  expect(ofLocalTime("2026-03-09T04:05", "from")).toBe(start);
  expect(ofLocalTime("2026-03-09T04:05", "to")).toBe(end);
  expect(ofLocalTime("", "to")).toBeUndefined();
});

test.each(["from", "to"] as const)("keeps a %s that was shown and not changed", (end) => {
  const time = ofLocalTime("2026-03-09T04:05", end);
  expect(ofLocalTime(toLocalTime(time, end), end)).toBe(time);
});

test("reads a day in UTC as its first or its last minute", () => {
  expect(ofLocalTime(toLocalTime("2026-03-09", "from"), "from")).toBe("2026-03-09T00:00:00.000Z");
  expect(ofLocalTime(toLocalTime("2026-03-09", "to"), "to")).toBe("2026-03-09T23:59:59.999Z");
});

test.each([
  ["2026-03-09T04:05:06.789Z", true],
  ["2026-03-09", false],
  ["2026-02-31T00:00:00.000Z", false],
  ["yesterday", false],
  ["1", false],
])("%s is a time: %s", (text, is) => {
  expect(isTime(text)).toBe(is);
});
