import { describe, expect, test } from "vitest";
import { relativeText } from "./relative-text.ts";

const now = new Date("2026-03-10T12:00:00Z");
const textOf = (at: string, mayBeAhead = false) => relativeText(new Date(at), now, { mayBeAhead });

test.each([
  ["2026-03-10T12:00:00Z", "now"],
  ["2026-03-10T11:59:00.500Z", "now"],
  ["2026-03-10T11:59:00Z", "1 minute ago"],
  ["2026-03-10T09:30:00Z", "2 hours ago"],
  ["2026-03-09T12:00:00Z", "1 day ago"],
  ["2026-02-20T12:00:00Z", "2 weeks ago"],
  ["2024-03-01T12:00:00Z", "2 years ago"],
])("%s is %s", (at, text) => {
  expect(textOf(at)).toBe(text);
  expect(textOf(at, true)).toBe(text);
});

test.each([
  ["de", "2026-03-10T11:59:30Z", "jetzt"],
  ["de", "2026-03-10T09:00:00Z", "vor 3 Stunden"],
  ["ja", "2024-03-01T12:00:00Z", "2 年前"],
])("in %s, %s is %s", (language, at, text) => {
  expect(relativeText(new Date(at), now, { language })).toBe(text);
});

describe("a time ahead of this device's clock", () => {
  test.each([
    ["2026-03-10T12:00:03Z", "in 1 minute"],
    ["2026-03-10T12:01:00Z", "in 1 minute"],
    ["2026-03-13T13:00:00Z", "in 3 days"],
  ])("%s is now if it has passed, and %s otherwise", (at, text) => {
    expect(textOf(at)).toBe("now");
    expect(textOf(at, true)).toBe(text);
  });
});
