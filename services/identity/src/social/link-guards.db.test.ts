import type { AccountRow } from "@latchkey/contracts";
import { createTestClock, expectNoLeaks, type TestDatabase } from "@latchkey/testkit";
import type { Kysely } from "kysely";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { takeOver } from "../accounts/take-over.ts";
import {
  caller,
  openTokenGround,
  startTokenProvider,
  type TokenGround,
  type TokenProvider,
} from "../accounts/token-provider.fixture.ts";
import { connectIdentity, createIdentityDatabase, newUser } from "../db/test-identity.fixture.ts";
import type { Tables } from "../db/tables.ts";
import { openTalk } from "../providers/talk.ts";
import { resolveSession } from "../sessions/resolve-session.ts";
import { createSession } from "../sessions/create-session.ts";
import { changeUser } from "../users/change-user.ts";
import { findUser } from "../users/find-user.ts";
import { insertUser, type UserMembers } from "../users/queries.ts";
import type { UserRow } from "../users/user-row.ts";
import { finishLink } from "./finish-link.ts";
import { resolveSocialUser } from "./resolve-social-user.ts";
import type { SocialSignIn } from "./social-sign-in.ts";

expectNoLeaks("file");

const clock = createTestClock();

/** What happens once, after a linking or a sign-in has looked at its user and before it is written. */
let meanwhile: ((userId: string) => Promise<unknown>) | undefined;
afterEach(() => {
  meanwhile = undefined;
});
const before = async ({ userId }: AccountRow) => {
  const act = meanwhile;
  meanwhile = undefined;
  await act?.(userId);
};

let database: TestDatabase;
let db: Kysely<Tables>;
let provider: TokenProvider;
let ground: TokenGround;
beforeAll(async () => {
  database = await createIdentityDatabase();
  db = connectIdentity(database.url);
  provider = await startTokenProvider();
  const options = { databaseHooks: { account: { create: { before }, update: { before } } } };
  ground = openTokenGround({ db, clock: clock.now, provider, options });
});
afterAll(async () => {
  await ground.close();
  await provider.local.close();
  await db.destroy();
  await database.drop();
});

const createUser = async (): Promise<UserRow> => {
  const user = await insertUser(db, newUser({ emailVerified: true }));
  if (!user) throw new Error("the user was not created");
  return user;
};

/** Somebody who comes from the provider with the address of a user, which it calls verified. */
const comeAs = async ({ email }: UserRow): Promise<SocialSignIn> => ({
  talk: await openTalk(ground.deps, ground.deps.providers.get("own")!),
  user: {
    id: `of ${email}`,
    name: "Ada",
    email,
    image: undefined,
    emailVerified: true,
    mapped: {},
  },
  tokens: { accessToken: "a" },
  caller,
  requestSignUp: false,
  nameFallback: "",
  callbackURL: undefined,
});

const change = (user: UserRow, members: UserMembers) =>
  changeUser(ground.deps, { user, change: members, action: "user.updated", caller });

const accountsOf = ({ id }: UserRow) =>
  db.selectFrom("account").select("accountId").where("userId", "=", id).execute();

// Else who comes with the address that somebody had a moment ago would be in that one's account.
test("an address that its user gives up while it is linked by is linked to nobody who had it", async () => {
  const user = await createUser();
  const signIn = await comeAs(user);
  meanwhile = () => change(user, { email: `other-${user.id}@example.com` });
  const { user: resolved, isNew } = await resolveSocialUser(ground.deps, signIn);
  expect([resolved.email, isNew]).toEqual([user.email, true]);
  expect(resolved.id).not.toBe(user.id);
  expect(await accountsOf(user)).toEqual([]);
});

test("an address that counts as unproven by the time that it is linked by is not linked by", async () => {
  const user = await createUser();
  const signIn = await comeAs(user);
  meanwhile = () => change(user, { emailVerified: false });
  await expect(resolveSocialUser(ground.deps, signIn)).rejects.toThrow("account not linked");
  expect(await accountsOf(user)).toEqual([]);
});

test("what else of a user changes while their address is linked by prevents nothing", async () => {
  const user = await createUser();
  const signIn = await comeAs(user);
  meanwhile = () => change(user, { name: "Ada L." });
  expect((await resolveSocialUser(ground.deps, signIn)).user).toMatchObject({ id: user.id });
});

/** A user who is signed in, and what they have begun to link. */
const beginLink = async (given?: UserRow) => {
  const user = given ?? (await createUser());
  const session = await createSession(ground.deps, user, { caller, remember: true });
  if (!session) throw new Error("the session was not created");
  const { token } = session;
  const signIn = { ...(await comeAs(user)), caller: { ...caller, sessionToken: token } };
  return { user, signIn, link: { userId: user.id, sessionToken: token } };
};

const endSessions = ({ id }: UserRow) =>
  ground.deps.sessions.revokeAll(id, undefined, {
    actor: { kind: "user", id },
    subject: { kind: "user", id },
    action: "session.revoked-all",
    caller,
  });

// Whoever is thrown out, as by a reset of the password, must not come back by the account that they are linking.
test("who is thrown out while they link an account does not link it", async () => {
  const { user, signIn, link } = await beginLink();
  meanwhile = () => endSessions(user);
  await expect(finishLink(ground.deps, link, signIn)).rejects.toThrow("unable to link account");
  expect(await accountsOf(user)).toEqual([]);
});

test("who is changed while they link an account links it all the same", async () => {
  const { user, signIn, link } = await beginLink();
  meanwhile = () => change(user, { name: "Ada L." });
  await finishLink(ground.deps, link, signIn);
  expect(await accountsOf(user)).toEqual([{ accountId: signIn.user.id }]);
  expect(await findUser({ db }, user)).toMatchObject({ name: "Ada L." });
});

const take = ({ id: userId }: UserRow) =>
  db.transaction().execute((trx) => takeOver(trx, ground.deps, { userId, kept: "", caller }));

// Sessions end a moment after the user has been taken from who is in them: until then they are found alive.
test.each(["before it is looked at", "while it is written"])(
  "a session from which its user was taken %s links nothing, though it has not ended yet",
  async (when) => {
    const { user, signIn, link } = await beginLink();
    if (when === "while it is written") meanwhile = () => take(user);
    else await take(user);
    await expect(finishLink(ground.deps, link, signIn)).rejects.toThrow("unable to link account");
    expect(await accountsOf(user)).toEqual([]);
    const found = resolveSession(ground.deps, signIn.caller, { disableRefresh: true });
    expect(await found).toBeDefined();
  },
);

test("a session that began after its user was taken from others links", async () => {
  const user = await createUser();
  await take(user);
  clock.advance(1);
  const { signIn, link } = await beginLink(user);
  await finishLink(ground.deps, link, signIn);
  expect(await accountsOf(user)).toEqual([{ accountId: signIn.user.id }]);
});

const unlink = ({ id }: UserRow) => db.deleteFrom("account").where("userId", "=", id).execute();

// Else whoever unlinks an account that a thief has would let the thief in once more, with nothing to show for it.
test("an account that is unlinked while it signs in is looked for afresh", async () => {
  const user = await createUser();
  const signIn = await comeAs(user);
  await resolveSocialUser(ground.deps, signIn);
  meanwhile = async () => {
    await unlink(user);
    await change(user, { email: `other-${user.id}@example.com` });
  };
  const { user: resolved, isNew } = await resolveSocialUser(ground.deps, signIn);
  expect([resolved.id === user.id, isNew]).toEqual([false, true]);
  expect(await accountsOf(user)).toEqual([]);
});

test("an account that is unlinked while its owner links it again is linked", async () => {
  const { user, signIn, link } = await beginLink();
  await finishLink(ground.deps, link, signIn);
  meanwhile = () => unlink(user);
  await finishLink(ground.deps, link, signIn);
  expect(await accountsOf(user)).toEqual([{ accountId: signIn.user.id }]);
});
