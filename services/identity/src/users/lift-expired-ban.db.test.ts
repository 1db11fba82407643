import type { EventData } from "@latchkey/contracts";
import { createTestClock, expectNoLeaks, newCaller } from "@latchkey/testkit";
import { expect, test } from "vitest";
import {
  openIdentityDatabase,
  createTestDeps,
  identityConfig,
  newUser,
} from "../db/test-identity.fixture.ts";
import { changeUser } from "./change-user.ts";
import { findKeyOwner } from "../sessions/requirement.ts";
import { findUser } from "./find-users.ts";
import { liftExpiredBan } from "./lift-expired-ban.ts";
import { insertUser, type UserMembers } from "./queries.ts";
import { passwordAccount, proposeUser, registerUser } from "../accounts/register-user.ts";
import type { UserRow } from "./user-row.ts";

expectNoLeaks("file");

const clock = createTestClock();
const callersCount = 16;
const caller = newCaller("adminBanUser");
const forGood = { banned: true, banReason: "Spam", banExpires: null };
const lifted = { banned: false, banReason: null, banExpires: null };

const { db } = await openIdentityDatabase(20);

const createDeps = (databaseHooks: object = {}) =>
  createTestDeps({ config: identityConfig({ databaseHooks }), db, clock: clock.now });

const register = async (): Promise<UserRow> => {
  const user = await insertUser(db, newUser());
  if (!user) throw new Error("the address is taken");
  return user;
};

const change = async ({ id }: UserRow, members: UserMembers, hooks: object = {}) => {
  const user = await findUser({ db }, { id });
  if (!user) throw new Error("there is no user");
  const changed = await changeUser(createDeps(hooks), {
    user,
    change: members,
    action: "user.updated",
    caller,
  });
  if (!changed) throw new Error("nothing was changed");
  return changed;
};

/** Returns the published ban states of a user, the latest last. */
const newsOf = async ({ id }: UserRow) => {
  const rows = await db
    .selectFrom("outbox")
    .select("data")
    .where("name", "=", "user.ban-changed")
    .execute();
  return rows
    .map(({ data }) => JSON.parse(data) as EventData<"user.ban-changed">)
    .filter(({ userId }) => userId === id)
    .toSorted((a, b) => a.revision - b.revision);
};

const fetchOwner = async (userId: string) => {
  const answer = await findKeyOwner(createDeps(), {
    body: { userId },
    caller,
    params: undefined,
    query: undefined,
    session: undefined,
  });
  if (!("reply" in answer)) throw new Error("there is no reply");
  return answer.reply;
};

test("publishes each change of a ban with its revision, and nothing else", async () => {
  const user = await register();
  const until = new Date(clock.now() + 60_000);
  const changes: UserMembers[] = [
    forGood,
    lifted,
    { ...forGood, banExpires: until },
    { banExpires: null },
    { name: "Augusta" },
    { emailVerified: true },
  ];
  const revisions: number[] = [];
  for (const members of changes) revisions.push((await change(user, members)).revision);
  const news = await newsOf(user);
  expect(news.map(({ banned, banExpires }) => [banned, banExpires])).toEqual([
    [true, null],
    [false, null],
    [true, until.toISOString()],
    [true, null],
  ]);
  expect(news.map(({ revision }) => revision)).toEqual(revisions.slice(0, 4));
});

test("publishes the end of an expired ban once it is lifted", async () => {
  const user = await register();
  const banned = await change(user, { ...forGood, banExpires: new Date(clock.now() + 1_000) });
  clock.advance(1_000);
  const free = await liftExpiredBan(createDeps(), banned, caller);
  expect((await newsOf(user)).at(-1)).toEqual({
    userId: user.id,
    revision: free.revision,
    banned: false,
    banExpires: null,
  });
});

test("publishes a ban that the application's hook adds to another change", async () => {
  const user = await register();
  const update = { before: () => ({ data: { banned: true } }) };
  const { revision } = await change(user, { name: "Augusta" }, { user: { update } });
  expect(await newsOf(user)).toEqual([
    { userId: user.id, revision, banned: true, banExpires: null },
  ]);
});

test("publishes the ban of a user who is created banned, and of no other", async () => {
  const deps = createDeps();
  const enter = async (banned: boolean) => {
    const email = `entered-${banned}@example.com`;
    const user = await proposeUser(deps, { name: "Ada", email, image: null, extra: {}, banned });
    const registered = await registerUser(deps, { user, account: passwordAccount("h"), caller });
    if (!registered) throw new Error("the address is taken");
    return registered;
  };
  const [banned, free] = [await enter(true), await enter(false)];
  const { id: userId, revision } = banned;
  expect(await newsOf(banned)).toEqual([{ userId, revision, banned: true, banExpires: null }]);
  expect(await newsOf(free)).toEqual([]);
});

test("publishes the final state with the highest revision in sixteen concurrent bans and unbans", async () => {
  const user = await register();
  await Promise.all(
    Array.from({ length: callersCount }, (_, index) =>
      change(user, index % 2 === 0 ? forGood : lifted),
    ),
  );
  const news = await newsOf(user);
  const current = await findUser({ db }, { id: user.id });
  expect(new Set(news.map(({ revision }) => revision)).size).toBe(callersCount);
  expect(news.at(-1)).toMatchObject({
    revision: current?.revision,
    banned: current?.banned,
  });
});

test("publishes no ban that is not written", async () => {
  const user = await register();
  const vetoed = { user: { update: { before: () => false } } };
  await expect(change(user, forGood, vetoed)).rejects.toMatchObject({
    code: "FAILED_TO_UPDATE_USER",
  });
  const unmet = { guard: { email: "another@example.com" }, action: "user.banned", caller } as const;
  expect(await changeUser(createDeps(), { user, change: forGood, ...unmet })).toBeUndefined();
  expect(await newsOf(user)).toEqual([]);
});

test("returns the whole owner of a key, and as banned exactly while the ban is in force", async () => {
  const user = await register();
  expect(await fetchOwner(user.id)).toMatchObject({
    user: { id: user.id, email: user.email, role: "user" },
    isBanned: false,
  });
  await change(user, { ...forGood, banExpires: new Date(clock.now() + 1_000) });
  expect(await fetchOwner(user.id)).toMatchObject({ user: { banned: true }, isBanned: true });
  clock.advance(1_000);
  expect(await fetchOwner(user.id)).toMatchObject({ isBanned: false });
  expect(await fetchOwner("nobody")).toBeNull();
});
