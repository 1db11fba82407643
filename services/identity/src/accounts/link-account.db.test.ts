import type { ProviderTokens } from "@latchkey/contracts";
import { hashToken } from "@latchkey/crypto";
import { createTestClock, expectNoLeaks, type TestDatabase } from "@latchkey/testkit";
import type { Kysely } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectIdentity, createIdentityDatabase, newUser } from "../db/test-identity.fixture.ts";
import type { Tables } from "../db/tables.ts";
import { findPassword } from "../passwords/find-password.ts";
import { replacePassword } from "../passwords/replace-password.ts";
import { createSession } from "../sessions/create-session.ts";
import { changeUser } from "../users/change-user.ts";
import { findUser } from "../users/find-user.ts";
import { insertUser } from "../users/queries.ts";
import type { UserRow } from "../users/user-row.ts";
import { deleteAccountToken, keepToken, proposeToken } from "../verification/single-use-token.ts";
import { linkAccount, type LinkGuard, linkToUnproven } from "./link-account.ts";
import {
  caller,
  openTokenGround,
  startTokenProvider,
  type TokenGround,
  type TokenProvider,
} from "./token-provider.fixture.ts";

expectNoLeaks("file");

const clock = createTestClock();
const callersCount = 16;

let database: TestDatabase;
let db: Kysely<Tables>;
let provider: TokenProvider;
let ground: TokenGround;
beforeAll(async () => {
  database = await createIdentityDatabase();
  db = connectIdentity(database.url, 20);
  provider = await startTokenProvider();
  ground = openTokenGround({ db, clock: clock.now, provider });
});
afterAll(async () => {
  await ground.close();
  await provider.local.close();
  await db.destroy();
  await database.drop();
});

let count = 0;
const linkingOf = (user: UserRow, tokens: ProviderTokens = { accessToken: "theirs" }) => {
  const accountId = `owner-${(count += 1)}`;
  return { user, providerId: "own", providerName: "Own", accountId, tokens, caller };
};

const race = <T>(act: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: callersCount }, (_, index) => act(index)));

/** Somebody who has registered an address, with a password, an account, a session and a mailed link. */
const register = async (given: { emailVerified: boolean }) => {
  const user = await insertUser(db, newUser(given));
  if (!user) throw new Error("the user was not created");
  const { deps } = ground;
  await replacePassword(deps, {
    userId: user.id,
    passwordHash: "the first hash",
    ends: "none",
    action: "password.set",
    actor: { kind: "user", id: user.id },
    caller,
  });
  const account = await ground.link({ accessToken: "first", refreshToken: "r" }, { user });
  const mailed = { value: user.id, lifetimeSeconds: 60 };
  await keepToken(deps, db, await proposeToken(deps, deleteAccountToken, mailed));
  const here = await findUser(deps, { id: user.id });
  const session = here && (await createSession(deps, here, { caller, remember: true }));
  if (!session) throw new Error("the session was not created");
  return { user: here, account, tokenHash: hashToken(session.token) };
};
type Registered = Awaited<ReturnType<typeof register>>;

/** What opens a user, and what is told of them. */
const stateOf = async ({ user: { id }, tokenHash }: Registered) => {
  const rows = await db.selectFrom("account").selectAll().where("userId", "=", id).execute();
  const audit = await db
    .selectFrom("audit")
    .select("action")
    .where("subjectId", "=", id)
    .orderBy("id")
    .execute();
  const outbox = await db.selectFrom("outbox").select(["name", "data"]).execute();
  const mailed = await db.selectFrom("verification").select("id").where("value", "=", id).execute();
  return {
    accounts: rows.map(({ providerId, accountId }) => `${providerId} ${accountId}`).toSorted(),
    password: await findPassword({ db }, id),
    actions: audit.map(({ action }) => action),
    told: outbox.filter(({ data }) => data.includes(id)).map(({ name }) => name),
    mailedCount: mailed.length,
    lives: (await ground.deps.sessions.find(tokenHash)) !== undefined,
    user: await findUser({ db }, { id }),
  };
};

const revocationsCount = async () => {
  const rows = db.selectFrom("outbox").select("id").where("name", "=", "account.unlinked");
  return (await rows.execute()).length;
};

const prove = (user: UserRow) =>
  changeUser(ground.deps, {
    user,
    change: { emailVerified: true },
    guard: { email: user.email, emailVerified: false },
    action: "user.email-verified",
    caller,
  });

describe("an account", () => {
  test("that 16 link at once is linked once, with one audit row and one mail", async () => {
    const user = await insertUser(db, newUser({ emailVerified: true }));
    const linking = linkingOf(user!);
    const linked = await race(() => linkAccount(ground.deps, linking, {}));
    expect(linked.filter(Boolean)).toHaveLength(1);
    const { accounts, actions, told } = await stateOf({
      user: user!,
      tokenHash: Buffer.alloc(32),
    } as Registered); // nothing else of them is looked at
    expect(accounts).toEqual([`own ${linking.accountId}`]);
    expect([actions, told]).toEqual([["account.linked"], ["account.linked"]]);
  });

  // Whoever was let in for their address would else be in the account of who has it no more.
  test.each<[string, (user: UserRow) => object, ((user: UserRow) => LinkGuard)?]>([
    ["has another address by now", ({ id }) => ({ email: `other-${id}@example.com` })],
    ["has it unproven by now", () => ({ emailVerified: false })],
    ["has changed since", () => ({ name: "Ada L." }), ({ revision }) => ({ revision })],
  ])(
    "is not linked to a user who %s, and nothing is left of it",
    async (_case, change, own = () => ({})) => {
      const registered = await register({ emailVerified: true });
      const { user } = registered;
      const { email, emailVerified } = user;
      const action = "user.updated";
      await changeUser(ground.deps, { user, change: change(user), action, caller });
      const before = await stateOf(registered);
      const guard = { email, emailVerified, ...own(user) };
      expect(await linkAccount(ground.deps, linkingOf(user), guard)).toBe(false);
      expect(await stateOf(registered)).toEqual(before);
    },
  );

  test("is linked where the guard holds", async () => {
    const { user } = await register({ emailVerified: true });
    const { email, emailVerified, revision } = user;
    const guard = { email, emailVerified, revision };
    expect(await linkAccount(ground.deps, linkingOf(user), guard)).toBe(true);
  });
});

/** Attack: somebody registers the address of another, who comes later by a provider that knows them. */
describe("the first registrant of an address that another proves", () => {
  test("keeps no way in, and the provider is to end what it granted to them", async () => {
    const registered = await register({ emailVerified: false });
    const linking = linkingOf(registered.user);
    const before = await revocationsCount();
    const isTaken = await linkToUnproven(ground.deps, linking, { isVerifiedThere: true });
    expect(isTaken).toBe(true);
    expect(await stateOf(registered)).toMatchObject({
      accounts: [`own ${linking.accountId}`],
      password: undefined,
      mailedCount: 0,
      lives: false,
      user: { emailVerified: true },
    });
    expect((await revocationsCount()) - before).toBe(1);
  });

  test.each(["proven", "changed"])(
    "keeps all of them who has it %s meanwhile, and nothing is left of the attempt",
    async (which) => {
      const registered = await register({ emailVerified: false });
      const { user } = registered;
      const change = { email: `other-${user.id}@example.com` };
      await (which === "proven"
        ? prove(user)
        : changeUser(ground.deps, { user, change, action: "user.updated", caller }));
      const before = await stateOf(registered);
      const isTaken = await linkToUnproven(ground.deps, linkingOf(user), { isVerifiedThere: true });
      expect(isTaken).toBe(false);
      expect(await stateOf(registered)).toEqual(before);
    },
  );

  test("keeps either all of it or nothing, when both prove it at the same moment, sixteen times", async () => {
    const outcomes = await race(async (index) => {
      const registered = await register({ emailVerified: false });
      const { user, account } = registered;
      const linking = linkingOf(user);
      const acts = [
        () => linkToUnproven(ground.deps, linking, { isVerifiedThere: true }),
        () => prove(user),
      ];
      // Half of them in the other order.
      const begun = (index % 2 === 0 ? acts : acts.toReversed()).map((act) => act());
      const [isTaken, proven] = index % 2 === 0 ? begun : begun.toReversed();
      const [taken, changed] = [await isTaken, await proven];
      expect(taken).toBe(changed === undefined);
      const { accounts, password, lives, user: now } = await stateOf(registered);
      expect(now?.emailVerified).toBe(true);
      const first = [`credential ${user.id}`, `own ${account.accountId}`];
      expect({ accounts, password, lives }).toEqual(
        taken
          ? { accounts: [`own ${linking.accountId}`], password: undefined, lives: false }
          : { accounts: first, password: "the first hash", lives: true },
      );
      return taken;
    });
    expect(outcomes).toHaveLength(callersCount);
  });

  test("cannot link an account of theirs while it is taken from them, sixteen times", async () => {
    await race(async () => {
      const registered = await register({ emailVerified: false });
      const { user } = registered;
      const linking = linkingOf(user);
      const [isTaken] = await Promise.all([
        linkToUnproven(ground.deps, linking, { isVerifiedThere: true }),
        linkAccount(ground.deps, linkingOf(user), { revision: user.revision }),
      ]);
      expect(isTaken).toBe(true);
      expect((await stateOf(registered)).accounts).toEqual([`own ${linking.accountId}`]);
    });
  });
});
