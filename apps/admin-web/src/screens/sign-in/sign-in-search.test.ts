import { expect, test } from "vitest";
import { signInSearch } from "./sign-in-search.ts";

test.each(["/users", "/users?q=a//b", "/users/u1?tab=sessions"])(
  "%s is gone back to",
  (redirect) => {
    expect(signInSearch.parse({ redirect })).toEqual({ redirect });
  },
);

/** A link to the sign-in page must not lead who follows it to a foreign site afterwards. */
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
])("%j is not", (redirect) => {
  expect(signInSearch.parse({ redirect }).redirect).toBeUndefined();
});

test("unknown reasons are none", () => {
  expect(signInSearch.parse({ reason: "<b>" }).reason).toBeUndefined();
});
