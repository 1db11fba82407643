import { listOptions, optionsSchema } from "@latchkey/contracts";
import { expect, test } from "vitest";
import { fittingOptions, groupOptions, type Option } from "./fitting-options.ts";

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
  { ...option("trustedOrigins", ["https://App.example"], "environment"), default: [] },
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

test("finds only options whose value differs from their default", () => {
  expect(namesOf({ changed: "1" })).toEqual(["trustedOrigins"]);
});

test("groups options by what they belong to, with changed ones first", () => {
  const changed = { ...option("emailAndPassword.enabled", false, "file"), default: true };
  const all = [
    ...options,
    option("emailAndPassword.autoSignIn", true),
    changed,
    option("redisUrl", null),
  ];
  const groups = groupOptions(all).map(({ title, options: members }) => [
    title,
    members.map(({ name }) => name),
  ]);
  expect(groups).toEqual([
    ["Sessions", ["session.expiresIn", "session.cookieCache.enabled"]],
    ["General", ["trustedOrigins", "baseURL"]],
    ["Email and password", ["emailAndPassword.enabled", "emailAndPassword.autoSignIn"]],
    ["Stores", ["redisUrl"]],
  ]);
});

test("every part of the configuration has a title", () => {
  const all = listOptions(optionsSchema.parse({})).map(({ name, value }) => option(name, value));
  // The name of a part in the configuration begins with a small letter.
  expect(groupOptions(all).filter(({ title }) => /^[a-z]/.test(title))).toEqual([]);
});
