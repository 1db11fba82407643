import { allOperations, type FeatureName } from "@latchkey/contracts";
import { describe, expect, test } from "vitest";
import { createOperationMatcher } from "./match-operation.ts";

const features = [...new Set(allOperations.flatMap(({ feature }) => feature ?? []))];
const everything = Object.fromEntries(features.map((feature) => [feature, true])) as Record<
  FeatureName,
  boolean
>;
const match = createOperationMatcher(everything);

describe.each(allOperations)("$name", (operation) => {
  const { exposure, method, path } = operation;
  test("is found by its own method and path if it is public", () => {
    expect(match(method, path) === operation).toBe(exposure === "public");
  });

  test("is found by HEAD if it is found by GET", () => {
    expect(match("HEAD", path)).toBe(match("GET", path));
  });

  test.each(["OPTIONS", "PUT", "get", ""])("is not found by %s", (other) => {
    expect(match(other, path)).toBeUndefined();
  });
});

test.each(["/nope", "", "/", "ok", "/ok/", "/OK", "__proto__", "constructor"])(
  "%j is nothing",
  (path) => {
    expect(match("GET", path)).toBeUndefined();
  },
);

test.each(features)("operations of %s are not found while it is off", (feature) => {
  const matchRest = createOperationMatcher({ ...everything, [feature]: false });
  const matching = allOperations
    .filter(({ exposure }) => exposure === "public")
    .filter(({ method, path }) => matchRest(method, path));
  expect(matching.some((operation) => operation.feature === feature)).toBe(false);
  expect(matching.length).toBeGreaterThan(0);
});

test("a segment of a pattern matches any non-empty text, but never two segments", () => {
  expect(match("GET", "/reset-password/abc")?.name).toBe("openPasswordReset");
  expect(match("GET", "/reset-password/")).toBeUndefined();
  expect(match("GET", "/reset-password/a/b")).toBeUndefined();
  expect(match("POST", "/reset-password/abc")).toBeUndefined();
});
