import { expect, test } from "vitest";
import { agoText } from "./ago.tsx";

const now = new Date("2030-01-02T12:00:00.000Z");

test.each([
  ["en", "2030-01-02T11:59:30.000Z", "now"],
  ["en", "2030-01-02T12:00:30.000Z", "now"],
  ["en", "2030-01-02T11:55:00.000Z", "5 minutes ago"],
  ["en", "2030-01-01T11:00:00.000Z", "1 day ago"],
  ["de", "2030-01-02T09:00:00.000Z", "vor 3 Stunden"],
  ["ja", "2028-01-02T12:00:00.000Z", "2 年前"],
])("in %s, %s is %s", (language, at, text) => {
  expect(agoText(language, new Date(at), now)).toBe(text);
});
