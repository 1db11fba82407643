import { expect, test } from "vitest";
import { fittingOptions, type Option } from "./fitting-options.ts";

const option = (name: string, value: unknown, source: Option["source"] = "default"): Option => ({
  name,
  value,
  source,
  isSecret: false,
  description: "",
  variable: null,
});

const options = [
  option("session.expiresIn", 604_800),
  option("session.cookieCache.enabled", true, "file"),
  option("trustedOrigins", ["https://App.example"], "environment"),
  option("baseURL", null),
];

const namesOf = (filter: Parameters<typeof fittingOptions>[1]) =>
  fittingOptions(options, filter).map(({ name }) => name);

test("finds options by every word of a text in their name or value, ignoring case", () => {
  expect(namesOf({ q: "SESSION" })).toEqual(["session.expiresIn", "session.cookieCache.enabled"]);
  expect(namesOf({ q: " session  true" })).toEqual(["session.cookieCache.enabled"]);
  expect(namesOf({ q: "app.EXAMPLE" })).toEqual(["trustedOrigins"]);
  expect(namesOf({ q: "604800" })).toEqual(["session.expiresIn"]);
  expect(namesOf({ q: "nowhere" })).toEqual([]);
});

test("finds options by source, and all of them without a search", () => {
  expect(namesOf({ source: "file" })).toEqual(["session.cookieCache.enabled"]);
  expect(namesOf({ source: "file", q: "expires" })).toEqual([]);
  expect(namesOf({})).toHaveLength(options.length);
});
