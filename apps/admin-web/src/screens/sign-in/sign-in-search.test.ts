import { expect, test } from "vitest";
import { signInSearch } from "./sign-in-search.ts";

test.each(["/users", "/users?q=a//b", "/users/u1?tab=sessions"])("leads back to %s", (redirect) => {
  expect(signInSearch({ redirect })).toEqual({ redirect });
});

/** A link to the sign-in page must not lead its visitor to another site after sign-in. */
test.each([
  "https://evil.example",
  "//evil.example",
  "/\\evil.example",
  "/\t/evil.example",
  "/\t/",
  "/\t/[",
  "/us\ners",
  "javascript:alert(1)",
  "users",
  "",
])("does not lead to %j", (redirect) => {
  expect(signInSearch({ redirect }).redirect).toBeUndefined();
});

test("ignores unknown reasons", () => {
  expect(signInSearch({ reason: "<b>" }).reason).toBeUndefined();
});
