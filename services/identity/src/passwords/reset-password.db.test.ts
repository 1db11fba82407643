import { hashToken } from "@latchkey/crypto";
import { createTestClock, expectNoLeaks, type TestDatabase } from "@latchkey/testkit";
import type { Kysely } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  caller,
  openTokenGround,
  startTokenProvider,
  type TokenGround,
  type TokenProvider,
} from "../accounts/token-provider.fixture.ts";
import { connectIdentity, createIdentityDatabase, newUser } from "../db/test-identity.fixture.ts";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { createSession } from "../sessions/create-session.ts";
import { changeUser } from "../users/change-user.ts";
import { findUser } from "../users/find-user.ts";
import { insertUser } from "../users/queries.ts";
import {
  deleteAccountToken,
  keepToken,
  proposeToken,
  resetPasswordToken,
} from "../verification/single-use-token.ts";
import { findPassword } from "./find-password.ts";
import { resetPassword } from "./reset-password.ts";

expectNoLeaks("file");

const clock = createTestClock();

let database: TestDatabase;
let db: Kysely<Tables>;
let provider: TokenProvider;
let ground: TokenGround;
beforeAll(async () => {
  database = await createIdentityDatabase();
  db = connectIdentity(database.url);
  provider = await startTokenProvider();
  ground = openTokenGround({ db, clock: clock.now, provider });
});
afterAll(async () => {
  await ground.close();
  await provider.local.close();
  await db.destroy();
  await database.drop();
});

/** Somebody who has registered an address, with an account at a provider, a session and a link to delete themself. */
const register = async (given: { emailVerified: boolean }) => {
  const { deps } = ground;
  const inserted = await insertUser(db, newUser(given));
  if (!inserted) throw new Error("the user was not created");
  const account = await ground.link({ accessToken: "a", refreshToken: "r" }, { user: inserted });
  const mailed = { value: inserted.id, lifetimeSeconds: 60 };
  await keepToken(deps, db, await proposeToken(deps, deleteAccountToken, mailed));
  const user = (await findUser(deps, inserted)) ?? inserted;
  const session = await createSession(deps, user, { caller, remember: true });
  if (!session) throw new Error("the session was not created");
  return { user, account, tokenHash: hashToken(session.token) };
};

/** A link that is mailed to the address of a user. */
const mailLink = async ({ id: value }: { id: string }): Promise<string> => {
  const { deps } = ground;
  const proposed = await proposeToken(deps, resetPasswordToken, { value, lifetimeSeconds: 60 });
  await keepToken(deps, db, proposed);
  return proposed.token;
};

const passwords = {
  hash: async (password: string) => `hash of ${password}`,
  verify: async () => true,
  stats: () => ({ running: 0, waiting: 0 }),
};
const reset = (token: string, databaseHooks?: Deps["config"]["databaseHooks"]) =>
  resetPassword(
    {
      ...ground.deps,
      ...(databaseHooks ? { config: { ...ground.deps.config, databaseHooks } } : {}),
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
    lives: (await ground.deps.sessions.find(tokenHash)) !== undefined,
  };
};

const revocationsCount = async () => {
  const rows = db.selectFrom("outbox").select("id").where("name", "=", "account.unlinked");
  return (await rows.execute()).length;
};

/** Attack: somebody registers the address of another, who comes to it by a mailed link later. */
describe("a reset by the mail of an address that nobody had proven", () => {
  test("leaves no account, session and mailed link, and has the provider end what it granted", async () => {
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
    const { id, providerId, accountId } = account;
    expect(audit).toEqual([{ before: { accounts: [{ id, providerId, accountId }] } }]);
  });

  test("leaves all of it where the token is used up already", async () => {
    const registered = await register({ emailVerified: false });
    await expect(reset("x".repeat(24))).rejects.toThrow("invalid token");
    expect(await stateOf(registered)).toMatchObject({ providers: ["own"], lives: true });
  });

  test("leaves the password that it writes, though its account was another when it began", async () => {
    const registered = await register({ emailVerified: false });
    const { user } = registered;
    await reset(await mailLink(user));
    const { databaseHooks } = ground.deps.config;
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

  test("takes nothing away that its owner adds later, once the address is proven", async () => {
    const registered = await register({ emailVerified: false });
    const { user } = registered;
    await reset(await mailLink(user));
    const change = { emailVerified: true };
    await changeUser(ground.deps, { user, change, action: "user.email-verified", caller });
    await ground.link({ accessToken: "b" }, { user });
    await reset(await mailLink(user));
    expect(await stateOf(registered)).toMatchObject({ providers: ["credential", "own"] });
  });
});

test("a reset by the mail of a proven address leaves accounts, sessions and other links", async () => {
  const registered = await register({ emailVerified: true });
  await reset(await mailLink(registered.user));
  expect(await stateOf(registered)).toEqual({
    providers: ["credential", "own"],
    password: "hash of a new password",
    mailedCount: 1,
    lives: true,
  });
});
