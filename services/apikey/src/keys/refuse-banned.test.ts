import { expect, test } from "vitest";
import { refuseBanned } from "./operations.ts";

const now = Date.parse("2030-01-01T00:00:00.000Z");

test.each([
  ["permanently", { banned: true }],
  ["without an end", { banned: true, banExpires: null }],
  ["until later", { banned: true, banExpires: new Date(now + 1) }],
])("refuses a user who is banned %s", (_kind, user) => {
  expect(() => refuseBanned(user, now)).toThrow("User is banned");
});

test.each([
  ["was never banned", {}],
  ["was unbanned", { banned: false, banExpires: new Date(now + 1) }],
  ["was banned until now", { banned: true, banExpires: new Date(now) }],
  ["has no ban field", { banned: null }],
])("accepts a user who %s", (_kind, user) => {
  expect(() => refuseBanned(user, now)).not.toThrow();
});
