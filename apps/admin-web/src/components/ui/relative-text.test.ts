import { expect, test } from "vitest";
import { relativeText } from "./relative-text.ts";

const now = new Date("2026-03-10T12:00:00Z");

test.each([
  ["2026-03-10T11:59:30Z", "just now"],
  ["2026-03-10T12:00:30Z", "in a moment"],
  ["2026-03-10T11:59:00Z", "1 minute ago"],
  ["2026-03-10T09:30:00Z", "2 hours ago"],
  ["2026-03-09T12:00:00Z", "yesterday"],
  ["2026-03-13T13:00:00Z", "in 3 days"],
  ["2026-02-20T12:00:00Z", "2 weeks ago"],
  ["2024-03-01T12:00:00Z", "2 years ago"],
])("%s is %s", (at, text) => {
  expect(relativeText(new Date(at), now)).toBe(text);
});
