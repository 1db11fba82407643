import { hashToken } from "@latchkey/crypto";
import { createTestClock, expectNoLeaks } from "@latchkey/testkit";
import { afterAll, describe, expect, test } from "vitest";
import {
  caller,
  openTokenFixture,
  startTokenProvider,
} from "../accounts/token-provider.fixture.ts";
import { openIdentityDatabase, seedUser, seedSession } from "../db/test-identity.fixture.ts";
import type { Deps } from "../deps.ts";
import { changeUser } from "../users/change-user.ts";
import { findUser } from "../users/find-users.ts";
import { issueSecret } from "../secrets/secrets.ts";
import { findPassword } from "../access/check-password.ts";
import { checkPasswordReset, resetPassword } from "./reset-password.ts";

expectNoLeaks("file");

const clock = createTestClock();

const { db } = await openIdentityDatabase();
const provider = await startTokenProvider();
const fixture = openTokenFixture({ db, clock: clock.now, provider });
afterAll(async () => {
  await fixture.close();
  await provider.local.close();
});

/** Registers a user with an account at a provider, a session and a link to delete the user. */
const register = async (given: { emailVerified: boolean }) => {
  const { deps } = fixture;
  const inserted = await seedUser(db, given);
  const account = await fixture.link({ accessToken: "a", refreshToken: "r" }, { user: inserted });
  const mailed = { holder: inserted.id, lifetimeSeconds: 60 };
  await issueSecret(deps, db, { name: "accountDeletion", ...mailed });
  const user = (await findUser(deps, inserted)) ?? inserted;
  const session = await seedSession(deps, user, { caller, remember: true });
  return { user, account, tokenHash: hashToken(session.token) };
};

/** Creates a link as mailed to the address of a user. */
const mailLink = async ({ id: holder }: { id: string }): Promise<string> => {
  const { deps } = fixture;
  const secret = { name: "passwordReset", holder, lifetimeSeconds: 60 } as const;
  return (await issueSecret(deps, db, secret)).token;
};

const passwords = {
  hash: async (password: string) => `hash of ${password}`,
  verify: async () => true,
  upgrade: async () => undefined,
  isUpgrade: () => false,
};
const reset = (token: string, databaseHooks?: Deps["config"]["databaseHooks"]) =>
  resetPassword(
    {
      ...fixture.deps,
      ...(databaseHooks ? { config: { ...fixture.deps.config, databaseHooks } } : {}),
      passwords,
    },
    {
      body: { token, newPassword: "a new password" },
      query: {},
      params: undefined,
      session: undefined,
      caller,
    },
  );

const check = async (token: string) =>
  checkPasswordReset(fixture.deps, {
    body: { token },
    params: undefined,
    query: undefined,
    session: undefined,
    caller,
  });

test("a link says what its use deletes, and stays valid", async () => {
  const [unproven, proven] = [
    await register({ emailVerified: false }),
    await register({ emailVerified: true }),
  ];
  const token = await mailLink(unproven.user);
  for (const _ of ["first", "second"])
    expect(await check(token)).toEqual({ reply: { status: true, ends: ["accounts"] } });
  await reset(token);
  await expect(check(token)).rejects.toThrow("invalid token");
  expect(await check(await mailLink(unproven.user))).toEqual({ reply: { status: true, ends: [] } });
  expect(await check(await mailLink(proven.user))).toEqual({ reply: { status: true } });
});

const stateOf = async ({ user: { id }, tokenHash }: Awaited<ReturnType<typeof register>>) => {
  const accounts = await db
    .selectFrom("account")
    .select("providerId")
    .where("userId", "=", id)
    .orderBy("providerId")
    .execute();
  const mailed = await db.selectFrom("verification").select("id").where("value", "=", id).execute();
  return {
    providers: accounts.map(({ providerId }) => providerId),
    password: await findPassword({ db }, id),
    mailedCount: mailed.length,
    lives: (await fixture.deps.sessions.find(tokenHash)) !== undefined,
  };
};

const revocationsCount = async () => {
  const rows = db.selectFrom("outbox").select("id").where("name", "=", "account.unlinked");
  return (await rows.execute()).length;
};

/** Attack: an attacker registers a victim's address. The victim later claims it by a mailed link. */
describe("a reset by the mail of an unverified address", () => {
  test("deletes accounts, sessions and mailed links, and revokes the grant at the provider", async () => {
    const registered = await register({ emailVerified: false });
    const before = await revocationsCount();
    await reset(await mailLink(registered.user));
    expect(await stateOf(registered)).toEqual({
      providers: ["credential"],
      password: "hash of a new password",
      mailedCount: 0,
      lives: false,
    });
    expect((await revocationsCount()) - before).toBe(1);
    const { account } = registered;
    const audit = await db
      .selectFrom("audit")
      .select("before")
      .where("subjectId", "=", registered.user.id)
      .where("action", "=", "user.accounts-dropped")
      .execute();
    const { id, providerId } = account;
    expect(audit).toEqual([{ before: { accounts: [{ id, providerId }] } }]);
  });

  test("deletes nothing if the token is used up already", async () => {
    const registered = await register({ emailVerified: false });
    await expect(reset("x".repeat(24))).rejects.toThrow("invalid token");
    expect(await stateOf(registered)).toMatchObject({ providers: ["own"], lives: true });
  });

  test("keeps the password account that it writes, even if it was another one at the beginning", async () => {
    const registered = await register({ emailVerified: false });
    const { user } = registered;
    await reset(await mailLink(user));
    const { databaseHooks } = fixture.deps.config;
    const before = async () => {
      const accounts = db.deleteFrom("account").where("userId", "=", user.id);
      const row = await accounts.returningAll().executeTakeFirstOrThrow();
      await db
        .insertInto("account")
        .values({ ...row, id: `other-${row.id}` })
        .execute();
    };
    const account = { ...databaseHooks.account, update: { before } };
    await reset(await mailLink(user), { ...databaseHooks, account });
    expect(await stateOf(registered)).toMatchObject({ providers: ["credential"] });
  });

  test("deletes nothing that the owner adds later, once the address is verified", async () => {
    const registered = await register({ emailVerified: false });
    const { user } = registered;
    await reset(await mailLink(user));
    const change = { emailVerified: true };
    await changeUser(fixture.deps, { user, change, action: "user.email-verified", caller });
    await fixture.link({ accessToken: "b" }, { user });
    await reset(await mailLink(user));
    expect(await stateOf(registered)).toMatchObject({ providers: ["credential", "own"] });
  });
});

test("a reset by the mail of a verified address keeps accounts, sessions and other links", async () => {
  const registered = await register({ emailVerified: true });
  await reset(await mailLink(registered.user));
  expect(await stateOf(registered)).toEqual({
    providers: ["credential", "own"],
    password: "hash of a new password",
    mailedCount: 1,
    lives: true,
  });
});
