import { expect, test } from "vitest";
import { predicateOf } from "./predicate-of.ts";

test.each([
  ["user.banned", "banned $", "banned themselves"],
  ["password.changed", "changed the password of $", "changed their password"],
  ["session.created", "signed in as $", "signed in"],
  ["session.revoked-all", "ended all sessions of $", "ended all their sessions"],
  ["password.set", "set a password for $", "set a password"],
  ["odd.role-changed", "odd role changed: $", "odd role changed: $"],
])("says %s as %j, and on oneself as %j", (action, general, own) => {
  expect([predicateOf(action, "other"), predicateOf(action, "oneself")]).toEqual([general, own]);
});

test("names no session", () => {
  expect(predicateOf("session.created", "session")).toBe("signed in");
  expect(predicateOf("session.revoked", "session")).toBe("ended a session");
});
