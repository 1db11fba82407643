import type { AccountRow } from "@latchkey/contracts";
import { createTestClock, expectNoLeaks } from "@latchkey/testkit";
import { afterAll, afterEach, expect, test } from "vitest";
import { applyClaim } from "../accounts/drop-accounts.ts";
import {
  caller,
  openTokenFixture,
  startTokenProvider,
} from "../accounts/token-provider.fixture.ts";
import { openIdentityDatabase, seedUser, seedSession } from "../db/test-identity.fixture.ts";
import { openProviderClient } from "../providers/provider-client.ts";
import { resolveSession } from "../sessions/resolve-session.ts";
import { changeUser } from "../users/change-user.ts";
import { findUser } from "../users/find-users.ts";
import { type UserMembers } from "../users/queries.ts";
import type { UserRow } from "../users/user-row.ts";
import { finishLink } from "./finish-link.ts";
import { resolveSocialUser } from "./resolve-social-user.ts";
import type { SocialSignIn } from "./social-sign-in.ts";

expectNoLeaks("file");

const clock = createTestClock();

/** Runs once, after a linking or sign-in has read its user and before it writes. */
let meanwhile: ((userId: string) => Promise<unknown>) | undefined;
afterEach(() => {
  meanwhile = undefined;
});
const before = async ({ userId }: AccountRow) => {
  const act = meanwhile;
  meanwhile = undefined;
  await act?.(userId);
};

const { db } = await openIdentityDatabase();
const provider = await startTokenProvider();
const options = { databaseHooks: { account: { create: { before }, update: { before } } } };
const fixture = openTokenFixture({ db, clock: clock.now, provider, options });
afterAll(async () => {
  await fixture.close();
  await provider.local.close();
});

const createUser = async (): Promise<UserRow> => {
  const user = await seedUser(db, { emailVerified: true });
  return user;
};

/** A sign-in at a provider that asserts the user's address as verified. */
const comeAs = async ({ email }: UserRow): Promise<SocialSignIn> => ({
  client: await openProviderClient(fixture.deps, fixture.deps.providers.get("own")!),
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
  guest: caller,
  requestSignUp: false,
  nameFallback: "",
  callbackURL: undefined,
});

const change = (user: UserRow, members: UserMembers) =>
  changeUser(fixture.deps, { user, change: members, action: "user.updated", caller });

const accountsOf = ({ id }: UserRow) =>
  db.selectFrom("account").select("accountId").where("userId", "=", id).execute();

// Attack: the owner of a former address must not get into the account of the user who has changed it.
test("does not link by an address that its user changes concurrently", async () => {
  const user = await createUser();
  const signIn = await comeAs(user);
  meanwhile = () => change(user, { email: `other-${user.id}@example.com` });
  const { user: resolved, isNew } = await resolveSocialUser(fixture.deps, signIn);
  expect([resolved.email, isNew]).toEqual([user.email, true]);
  expect(resolved.id).not.toBe(user.id);
  expect(await accountsOf(user)).toEqual([]);
});

test("does not link by an address that becomes unverified concurrently", async () => {
  const user = await createUser();
  const signIn = await comeAs(user);
  meanwhile = () => change(user, { emailVerified: false });
  await expect(resolveSocialUser(fixture.deps, signIn)).rejects.toThrow("account not linked");
  expect(await accountsOf(user)).toEqual([]);
});

test("links by an address although another member of the user changes concurrently", async () => {
  const user = await createUser();
  const signIn = await comeAs(user);
  meanwhile = () => change(user, { name: "Ada L." });
  expect((await resolveSocialUser(fixture.deps, signIn)).user).toMatchObject({ id: user.id });
});

/** A signed-in user and a linking that they have begun. */
const beginLink = async (given?: UserRow) => {
  const user = given ?? (await createUser());
  const session = await seedSession(fixture.deps, user, { caller, remember: true });
  const { token } = session;
  const signIn = { ...(await comeAs(user)), caller: { ...caller, sessionToken: token } };
  return { user, signIn, link: { userId: user.id, sessionToken: token } };
};

const endSessions = ({ id }: UserRow) =>
  fixture.deps.sessions.revokeAll(id, undefined, {
    actor: { kind: "user", id },
    subject: { kind: "user", id },
    action: "session.revoked-all",
    caller,
  });

// Attack: an attacker whose sessions were ended, for example by a password reset, must not return by the account being
// linked.
test("does not link an account for a user whose sessions end concurrently", async () => {
  const { user, signIn, link } = await beginLink();
  meanwhile = () => endSessions(user);
  await expect(finishLink(fixture.deps, link, signIn)).rejects.toThrow("unable to link account");
  expect(await accountsOf(user)).toEqual([]);
});

test("links an account although another member of the user changes concurrently", async () => {
  const { user, signIn, link } = await beginLink();
  meanwhile = () => change(user, { name: "Ada L." });
  await finishLink(fixture.deps, link, signIn);
  expect(await accountsOf(user)).toEqual([{ accountId: signIn.user.id }]);
  expect(await findUser({ db }, user)).toMatchObject({ name: "Ada L." });
});

const take = ({ id: userId }: UserRow) =>
  db.transaction().execute((trx) => applyClaim(trx, fixture.deps, { userId, kept: "", caller }));

// The sessions of a claimed user end shortly after the claim, and are found until then.
test.each(["before it is looked at", "while it is written"])(
  "does not link in a session whose user was claimed %s",
  async (when) => {
    const { user, signIn, link } = await beginLink();
    if (when === "while it is written") meanwhile = () => take(user);
    else await take(user);
    await expect(finishLink(fixture.deps, link, signIn)).rejects.toThrow("unable to link account");
    expect(await accountsOf(user)).toEqual([]);
    const resolved = resolveSession(fixture.deps, signIn.caller, { disableRefresh: true });
    expect(await resolved).toBeDefined();
  },
);

test("links in a session that began after the claim of its user", async () => {
  const user = await createUser();
  await take(user);
  clock.advance(1);
  const { signIn, link } = await beginLink(user);
  await finishLink(fixture.deps, link, signIn);
  expect(await accountsOf(user)).toEqual([{ accountId: signIn.user.id }]);
});

const unlink = ({ id }: UserRow) => db.deleteFrom("account").where("userId", "=", id).execute();

// Attack: a thief must not get in again, unnoticed, by an account that its user unlinks at this moment.
test("looks up the user again if the account is unlinked during a sign-in", async () => {
  const user = await createUser();
  const signIn = await comeAs(user);
  await resolveSocialUser(fixture.deps, signIn);
  meanwhile = async () => {
    await unlink(user);
    await change(user, { email: `other-${user.id}@example.com` });
  };
  const { user: resolved, isNew } = await resolveSocialUser(fixture.deps, signIn);
  expect([resolved.id === user.id, isNew]).toEqual([false, true]);
  expect(await accountsOf(user)).toEqual([]);
});

test("links an account that is unlinked while its owner links it again", async () => {
  const { user, signIn, link } = await beginLink();
  await finishLink(fixture.deps, link, signIn);
  meanwhile = () => unlink(user);
  await finishLink(fixture.deps, link, signIn);
  expect(await accountsOf(user)).toEqual([{ accountId: signIn.user.id }]);
});
