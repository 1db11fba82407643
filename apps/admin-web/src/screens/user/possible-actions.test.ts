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

const everything = { id: "admin", may: () => true };
const namesOf = (given: User, admin: Parameters<typeof possibleActions>[1]) =>
  possibleActions(given, admin).map(({ name }) => name);

test("who is banned can be unbanned and not banned, and the other way round", () => {
  expect(namesOf(user, everything)).toContain("ban");
  expect(namesOf(user, everything)).not.toContain("unban");
  expect(namesOf({ ...user, banned: true }, everything)).toContain("unban");
  expect(namesOf({ ...user, banned: true }, everything)).not.toContain("ban");
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
  expect(namesOf(user, { id: "admin", may })).toEqual(["sign-out"]);
});
