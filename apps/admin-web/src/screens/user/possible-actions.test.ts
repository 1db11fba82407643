import { expect, test } from "vitest";
import { possibleActions } from "./possible-actions.ts";
import type { User } from "./use-user.ts";

const user = {
  id: "u1",
  name: "Ada",
  email: "ada@example.com",
  emailVerified: false,
  image: null,
  banned: false,
  createdAt: "",
  updatedAt: "",
} satisfies User;

const now = new Date("2026-06-01T12:00:00Z");
const everything = { id: "admin", may: () => true, now };
const namesOf = (given: User, admin: Parameters<typeof possibleActions>[1]) =>
  possibleActions(given, admin).map(({ name }) => name);

test("who is banned can be unbanned and not banned, and the other way round", () => {
  expect(namesOf(user, everything)).toContain("ban");
  expect(namesOf(user, everything)).not.toContain("unban");
  expect(namesOf({ ...user, banned: true }, everything)).toContain("unban");
  expect(namesOf({ ...user, banned: true }, everything)).not.toContain("ban");
});

test("a ban that has ended is no ban: there is nothing to lift, and another may begin", () => {
  const ended = { ...user, banned: true, banExpires: "2026-06-01T12:00:00Z" };
  expect(namesOf(ended, everything)).toContain("ban");
  expect(namesOf(ended, everything)).not.toContain("unban");
  const going = { ...ended, banExpires: "2026-06-01T12:00:01Z" };
  expect(namesOf(going, everything)).toContain("unban");
});

test("an address is verified once", () => {
  expect(namesOf(user, everything)).toContain("verify");
  expect(namesOf({ ...user, emailVerified: true }, everything)).not.toContain("verify");
});

test("nobody bans, deletes or impersonates themself", () => {
  expect(namesOf(user, { ...everything, id: user.id })).toEqual([
    "roles",
    "password",
    "reset",
    "verify",
    "sign-out",
  ]);
});

test("what the role does not allow is not offered", () => {
  const may = (permission: string) => permission === "session:revoke";
  expect(namesOf(user, { id: "admin", may, now })).toEqual(["sign-out"]);
});
