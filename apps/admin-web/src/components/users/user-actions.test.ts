import { expect, test } from "vitest";
import { possibleActions } from "./user-actions.ts";

type User = Parameters<typeof possibleActions>[0];

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
const everything = { id: "admin", may: () => true, mayActOn: true, now };
const namesOf = (given: User, admin: Parameters<typeof possibleActions>[1]) =>
  possibleActions(given, admin).map(({ name }) => name);

test("offers to unban a banned user and to ban any other", () => {
  expect(namesOf(user, everything)).toContain("ban");
  expect(namesOf(user, everything)).not.toContain("unban");
  expect(namesOf({ ...user, banned: true }, everything)).toContain("unban");
  expect(namesOf({ ...user, banned: true }, everything)).not.toContain("ban");
});

/** The server refuses it, because a banned user cannot be signed in. */
test("offers to impersonate only users who are not banned", () => {
  expect(namesOf(user, everything)).toContain("impersonate");
  expect(namesOf({ ...user, banned: true }, everything)).not.toContain("impersonate");
});

test("treats an expired ban as no ban: it cannot be lifted, and a new one is possible", () => {
  const ended = { ...user, banned: true, banExpires: "2026-06-01T12:00:00Z" };
  expect(namesOf(ended, everything)).toContain("ban");
  expect(namesOf(ended, everything)).not.toContain("unban");
  const going = { ...ended, banExpires: "2026-06-01T12:00:01Z" };
  expect(namesOf(going, everything)).toContain("unban");
});

test("offers to verify an address only once", () => {
  expect(namesOf(user, everything)).toContain("verify");
  expect(namesOf({ ...user, emailVerified: true }, everything)).not.toContain("verify");
});

test("offers to reset a second factor that is on, and to nobody their own", () => {
  const withFactor = { ...user, twoFactorEnabled: true };
  expect(namesOf(withFactor, everything)).toContain("reset-second-factor");
  expect(namesOf(user, everything)).not.toContain("reset-second-factor");
  expect(namesOf(withFactor, { ...everything, id: user.id })).not.toContain("reset-second-factor");
});

test("offers no admin to ban, delete or impersonate themself", () => {
  expect(namesOf(user, { ...everything, id: user.id })).toEqual([
    "roles",
    "password",
    "reset",
    "send-verification",
    "verify",
    "sign-out",
  ]);
});

test("offers nothing that the role does not allow", () => {
  const may = (permission: string) => permission === "session:revoke";
  expect(namesOf(user, { ...everything, may })).toEqual(["sign-out"]);
});

test("offers nothing on a user with permissions that the admin lacks", () => {
  expect(namesOf(user, { ...everything, mayActOn: false })).toEqual([]);
});
