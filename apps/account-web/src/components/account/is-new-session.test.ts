import { expect, test } from "vitest";
import { isNewSession } from "./is-new-session.ts";

const now = new Date("2030-01-20T00:00:00.000Z");
const current = { id: "current", createdAt: "2030-01-02T00:00:00.000Z" };

test.each([
  ["began after this one, lately", "other", "2030-01-19T00:00:00.000Z", true],
  ["began after this one, more than a week ago", "other", "2030-01-12T00:00:00.000Z", false],
  ["began before this one", "other", "2030-01-01T00:00:00.000Z", false],
  ["is this one", "current", "2030-01-19T00:00:00.000Z", false],
])("a session that %s: %s", (_, id, createdAt, isNew) => {
  expect(isNewSession({ id, createdAt }, current, now)).toBe(isNew);
});
