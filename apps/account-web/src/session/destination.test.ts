import { expect, test } from "vitest";
import { ownPath } from "./destination.ts";

test.each([
  ["/account", "/"],
  ["/account/", "/"],
  ["/account/invitation/i1?x=1", "/invitation/i1?x=1"],
])("leads to the own page %s", (address, path) => {
  expect(ownPath(address, "/account")).toBe(path);
});

/** The server judges these. */
test.each([
  "/admin",
  "/accounting",
  "https://app.example.com/",
  "//evil.example/account",
  "/\\evil.example/account",
  "/\t/evil.example",
  "/account/../admin",
  "/account//",
  "/account//evil.example/sign-in",
  "/account/\\evil.example",
  "javascript:alert(1)",
  "",
])("does not take %j as an own page", (address) => {
  expect(ownPath(address, "/account")).toBeUndefined();
});
