import { expect, test } from "vitest";
import { isLoadFailure } from "./is-load-failure.ts";

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
