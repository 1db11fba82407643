import { expect, test } from "vitest";
import { refuseBanned } from "./refuse-banned.ts";

const now = Date.parse("2030-01-01T00:00:00.000Z");

test.each([
  ["for good", { banned: true }],
  ["without an end", { banned: true, banExpires: null }],
  ["until later", { banned: true, banExpires: new Date(now + 1) }],
])("who is banned %s is refused", (_kind, user) => {
  expect(() => refuseBanned(user, now)).toThrow("User is banned");
});

test.each([
  ["nobody ever banned", {}],
  ["is banned no more", { banned: false, banExpires: new Date(now + 1) }],
  ["was banned until now", { banned: true, banExpires: new Date(now) }],
  ["has no such member", { banned: null }],
])("who %s is not", (_kind, user) => {
  expect(() => refuseBanned(user, now)).not.toThrow();
});
