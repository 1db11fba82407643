import { expect, test } from "vitest";
import { readPersonRequest } from "./person-actions.ts";

test.each([
  ["ban ada", ["Ban"], "ada"],
  ["lovelace ada ban", ["Ban"], "lovelace ada"],
  ["reset ada", ["Send password reset to"], "ada"],
  ["password reset ada@example.com", ["Send password reset to"], "ada@example.com"],
  ["sign out ada", ["Sign out"], "ada"],
  ["ada lovelace", [], ""],
  ["ba", [], ""],
])("reads %s as %j on %j", (text, verbs, person) => {
  expect(readPersonRequest(text)).toEqual({ verbs, person });
});
