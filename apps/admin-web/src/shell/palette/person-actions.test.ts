import { expect, test } from "vitest";
import { readPersonRequest } from "./person-actions.ts";

test.each([
  ["ban ada", ["ban"], "ada"],
  ["lovelace ada ban", ["ban"], "lovelace ada"],
  ["reset ada", ["reset"], "ada"],
  ["password reset ada@example.com", ["reset"], "ada@example.com"],
  ["sign out ada", ["sign-out"], "ada"],
  ["ada lovelace", [], ""],
  ["ba", [], ""],
])("reads %s as %j on %j", (text, actions, person) => {
  expect(readPersonRequest(text)).toEqual({ actions, person });
});
