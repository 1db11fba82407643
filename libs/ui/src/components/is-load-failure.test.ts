import { expect, test } from "vitest";
import { isLoadFailure, screenOf } from "./is-load-failure.ts";

test.each([
  [
    "Chromium",
    true,
    new TypeError("Failed to fetch dynamically imported module: https://a.example/b.js"),
  ],
  [
    "Firefox",
    true,
    new TypeError("error loading dynamically imported module: https://a.example/b.js"),
  ],
  ["Safari", true, new TypeError("Importing a module script failed.")],
  ["a failed request", false, new TypeError("Failed to fetch")],
  ["another error", false, new Error("Importing a module script failed.")],
] as const)("the error of %s is a failed load: %s", (_source, expected, error) => {
  expect(isLoadFailure(error)).toBe(expected);
});

/** The router reloads the page for the browser's own error. Without a network the web would be lost. */
test("a screen that could not be loaded fails with an error that the router does not know", async () => {
  const load = screenOf(() =>
    Promise.reject(new TypeError("Failed to fetch dynamically imported module: /a.js")),
  );
  const error: unknown = await load().catch((thrown: unknown) => thrown);
  expect(isLoadFailure(error)).toBe(true);
  expect(String(error)).not.toMatch(/dynamically imported module/);
});
