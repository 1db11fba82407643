import { expect, test } from "vitest";
import { actionsOn, readPersonRequest } from "./person-actions.ts";

test.each([
  ["ban ada", ["Ban"], "ada"],
  ["lovelace ada ban", ["Ban"], "lovelace ada"],
  ["reset ada", ["Send password reset to"], "ada"],
  ["password reset ada@example.com", ["Send password reset to"], "ada@example.com"],
  ["sign out ada", ["Sign out"], "ada"],
  ["ada lovelace", [], ""],
  ["ba", [], ""],
])("reads %s as %j on %j", (text, labels, person) => {
  const request = readPersonRequest(text);
  expect([request.actions.map(({ label }) => label), request.person]).toEqual([labels, person]);
});

test("offers what fits the state of the user and the permissions of the admin", () => {
  const labelsOf = (isBanned: boolean) =>
    actionsOn(undefined, isBanned, (permission) => permission === "user:ban").map(
      ({ label }) => label,
    );
  expect([labelsOf(false), labelsOf(true)]).toEqual([["Ban"], ["Unban"]]);
});
