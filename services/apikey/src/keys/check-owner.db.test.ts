import { expectNoLeaks, newPerson } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { newTextId } from "../db/test-apikey.fixture.ts";
import { openKeys, outcomeOf } from "./test-keys.fixture.ts";

expectNoLeaks("file");

const fixture = await openKeys();

const countOf = async (userId: string) =>
  (await fixture.db.selectFrom("apiKey").select("id").where("userId", "=", userId).execute())
    .length;
const newUser = (isBanned = false): string => {
  const id = newTextId();
  fixture.knownUsers.set(id, { isBanned });
  return id;
};

test.each([null, "own"])(
  "creates a key for the signed-in user, with or without their id (%j)",
  async (named) => {
    const person = newPerson();
    const userId = named && person.user.id;
    expect(await fixture.create(person, { userId })).toMatchObject({ userId: person.user.id });
  },
);

/** Otherwise any user could make a key to another user's account. */
test("refuses to create a key for another user, also with service-only fields", async () => {
  const [person, other] = [newPerson(), newPerson()];
  for (const members of [{}, { remaining: 5 }, { permissions: {} }]) {
    const created = fixture.create(person, { userId: other.user.id, ...members });
    expect(await outcomeOf(created)).toBe("INVALID_SESSION");
  }
  expect(await countOf(other.user.id)).toBe(0);
});

test("refuses service-only fields from a user who names themself", async () => {
  const person = newPerson();
  for (const userId of [null, person.user.id]) {
    const created = fixture.create(person, { userId, remaining: 5, metadata: "text" });
    expect(await outcomeOf(created)).toBe("SERVER_ONLY_PROPERTY");
  }
  expect(await countOf(person.user.id)).toBe(0);
});

test.each([undefined, null, ""])(
  "creates nothing for a service that names no user (%j)",
  async (userId) => {
    expect(await outcomeOf(fixture.createFor({ userId, metadata: "text" }))).toBe(
      "INVALID_SESSION",
    );
  },
);

test("creates nothing for a service that names an unknown or banned user", async () => {
  const [unknown, banned] = [newTextId(), newUser(true)];
  const failed = fixture.createFor({ userId: unknown, metadata: "text" });
  await expect(failed).rejects.toMatchObject({ code: "USER_NOT_FOUND", status: 400 });
  expect(await outcomeOf(fixture.createFor({ userId: banned }))).toBe("USER_BANNED");
  expect([await countOf(unknown), await countOf(banned)]).toEqual([0, 0]);
});

test("refuses a banned user with a live session", async () => {
  const person = newPerson({ banned: true, banExpires: new Date(Date.now() + 60_000) });
  expect(await outcomeOf(fixture.create(person))).toBe("USER_BANNED");
  const free = newPerson({ banned: true, banExpires: new Date(Date.now() - 1) });
  expect(await outcomeOf(fixture.create(free))).toBe("done");
});

const owner = { revision: 1, banned: false, bannedUntil: null, departedAt: null };
test.each([
  ["was deleted", "INVALID_SESSION", { ...owner, departedAt: new Date() }],
  ["is banned", "USER_BANNED", { ...owner, banned: true }],
  ["was banned for a while", "done", { ...owner, banned: true, bannedUntil: new Date(0) }],
  ["was unbanned", "done", owner],
])("a user who %s in the meantime gets %s", async (_kind, outcome, known) => {
  const person = newPerson({ id: newUser() });
  const userId = person.user.id;
  await fixture.db
    .insertInto("owner")
    .values({ userId, ...known })
    .execute();
  expect(await outcomeOf(fixture.create(person))).toBe(outcome);
  expect(await outcomeOf(fixture.createFor({ userId }))).toBe(outcome);
  expect(await countOf(userId)).toBe(outcome === "done" ? 2 : 0);
});

/** The error must not claim that the admin's own session ended, because a new sign-in would not help. */
test("tells an admin that the user was deleted in the meantime, and not that the session is invalid", async () => {
  const userId = newUser();
  await fixture.db
    .insertInto("owner")
    .values({ userId, ...owner, departedAt: new Date() })
    .execute();
  const created = fixture.createByAdmin(newPerson({ role: "admin" }), { userId });
  await expect(created).rejects.toMatchObject({ code: "USER_NOT_FOUND", status: 400 });
  expect(await countOf(userId)).toBe(0);
});
