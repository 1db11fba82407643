import { afterAll, expect, test, vi } from "vitest";
import { ownPath } from "./destination.ts";

// The facts of a page are read from it on import.
vi.hoisted(() => vi.stubGlobal("document", { querySelector: () => null }));
afterAll(() => vi.unstubAllGlobals());

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
