import { expect, test } from "vitest";
import { minuteText, secondText } from "./moment-text.ts";

const toMinute = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
const toSecond = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });

test.each([
  ...Array.from({ length: 12 }, (_, month) => new Date(2026, month, month + 1, 2 * month, 5, 9)),
  new Date(1999, 11, 31, 23, 59, 59),
  new Date(2028, 1, 29, 0, 0, 0),
])("writes %s as British English does", (date) => {
  expect(minuteText(date)).toBe(toMinute.format(date));
  expect(secondText(date)).toBe(toSecond.format(date));
});
