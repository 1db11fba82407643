import type { ProviderTokens } from "@latchkey/contracts";
import { hashToken } from "@latchkey/crypto";
import { createTestClock, expectNoLeaks } from "@latchkey/testkit";
import { afterAll, describe, expect, test } from "vitest";
import { openIdentityDatabase, newUser, seedUser } from "../db/test-identity.fixture.ts";
import { findPassword } from "../access/check-password.ts";
import { replacePassword } from "../passwords/replace-password.ts";
import { createSession } from "../sessions/create-session.ts";
import { changeUser } from "../users/change-user.ts";
import { findUser } from "../users/find-users.ts";
import { insertUser } from "../users/queries.ts";
import type { UserRow } from "../users/user-row.ts";
import { issueSecret } from "../secrets/secrets.ts";
import { linkAccount, type LinkGuard, linkToUnproven } from "./link-account.ts";
import { caller, openTokenFixture, startTokenProvider } from "./token-provider.fixture.ts";

expectNoLeaks("file");

const clock = createTestClock();
const callersCount = 16;

const { db } = await openIdentityDatabase(20);
const provider = await startTokenProvider();
const fixture = openTokenFixture({ db, clock: clock.now, provider });
afterAll(async () => {
  await fixture.close();
  await provider.local.close();
});

let count = 0;
const linkingOf = (user: UserRow, tokens: ProviderTokens = { accessToken: "theirs" }) => {
  const accountId = `owner-${(count += 1)}`;
  return { user, providerId: "own", providerName: "Own", accountId, tokens, caller };
};

const race = <T>(act: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: callersCount }, (_, index) => act(index)));

/** Registers a user with a password, an account, a session and a mailed link. */
const register = async (given: { emailVerified: boolean }) => {
  const user = await seedUser(db, given);
  const { deps } = fixture;
  await replacePassword(deps, {
    userId: user.id,
    passwordHash: "the first hash",
    ends: "none",
    action: "password.set",
    actor: { kind: "user", id: user.id },
    caller,
  });
  const account = await fixture.link({ accessToken: "first", refreshToken: "r" }, { user });
  await issueSecret(deps, db, { name: "accountDeletion", holder: user.id, lifetimeSeconds: 60 });
  const here = await findUser(deps, { id: user.id });
  const session =
    here &&
    (await createSession(deps, here, { caller, remember: true, proof: { methods: ["password"] } }));
  if (!session) throw new Error("the session was not created");
  return { user: here, account, tokenHash: hashToken(session.token) };
};
type Registered = Awaited<ReturnType<typeof register>>;

/** Returns the user's credentials and the events published about the user. */
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
    lives: (await fixture.deps.sessions.find(tokenHash)) !== undefined,
    user: await findUser({ db }, { id }),
  };
};

const revocationsCount = async () => {
  const rows = db.selectFrom("outbox").select("id").where("name", "=", "account.unlinked");
  return (await rows.execute()).length;
};

const prove = (user: UserRow) =>
  changeUser(fixture.deps, {
    user,
    change: { emailVerified: true },
    guard: { email: user.email, emailVerified: false },
    action: "user.email-verified",
    caller,
  });

describe("an account", () => {
  test("is linked once by 16 concurrent calls, with one audit row and one mail", async () => {
    const user = await insertUser(db, newUser({ emailVerified: true }));
    const linking = linkingOf(user!);
    const linked = await race(() => linkAccount(fixture.deps, linking, {}));
    expect(linked.filter(Boolean)).toHaveLength(1);
    const {
      accounts,
      actions,
      told: events,
    } = await stateOf({
      user: user!,
      tokenHash: Buffer.alloc(32),
    } as Registered); // only these members are read
    expect(accounts).toEqual([`own ${linking.accountId}`]);
    expect([actions, events]).toEqual([["account.linked"], ["account.linked"]]);
  });

  // Attack: a user admitted by a former address must not enter the account of its present owner.
  test.each<[string, (user: UserRow) => object, ((user: UserRow) => LinkGuard)?]>([
    ["has another address meanwhile", ({ id }) => ({ email: `other-${id}@example.com` })],
    ["has an unverified address meanwhile", () => ({ emailVerified: false })],
    ["has changed meanwhile", () => ({ name: "Ada L." }), ({ revision }) => ({ revision })],
  ])(
    "is not linked to a user who %s, and leaves no trace",
    async (_case, change, own = () => ({})) => {
      const registered = await register({ emailVerified: true });
      const { user } = registered;
      const { email, emailVerified } = user;
      const action = "user.updated";
      await changeUser(fixture.deps, { user, change: change(user), action, caller });
      const before = await stateOf(registered);
      const guard = { email, emailVerified, ...own(user) };
      expect(await linkAccount(fixture.deps, linkingOf(user), guard)).toBe(false);
      expect(await stateOf(registered)).toEqual(before);
    },
  );

  test("is linked if the guard holds", async () => {
    const { user } = await register({ emailVerified: true });
    const { email, emailVerified, revision } = user;
    const guard = { email, emailVerified, revision };
    expect(await linkAccount(fixture.deps, linkingOf(user), guard)).toBe(true);
  });
});

/** Attack: the attacker registers the victim's address. The victim signs in later with a provider that has verified it. */
describe("the first registrant of an address that another user proves", () => {
  test("loses every sign-in method, and its grant is revoked at the provider", async () => {
    const registered = await register({ emailVerified: false });
    const linking = linkingOf(registered.user);
    const before = await revocationsCount();
    const isTaken = await linkToUnproven(fixture.deps, linking, { isVerifiedThere: true });
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
    "keeps everything if the user is %s meanwhile, and the attempt leaves no trace",
    async (which) => {
      const registered = await register({ emailVerified: false });
      const { user } = registered;
      const change = { email: `other-${user.id}@example.com` };
      await (which === "proven"
        ? prove(user)
        : changeUser(fixture.deps, { user, change, action: "user.updated", caller }));
      const before = await stateOf(registered);
      const isTaken = await linkToUnproven(fixture.deps, linkingOf(user), {
        isVerifiedThere: true,
      });
      expect(isTaken).toBe(false);
      expect(await stateOf(registered)).toEqual(before);
    },
  );

  test("keeps either everything or nothing when both prove the address concurrently, sixteen times", async () => {
    const outcomes = await race(async (index) => {
      const registered = await register({ emailVerified: false });
      const { user, account } = registered;
      const linking = linkingOf(user);
      const acts = [
        () => linkToUnproven(fixture.deps, linking, { isVerifiedThere: true }),
        () => prove(user),
      ];
      // Half of the runs start in reverse order.
      const begun = (index % 2 === 0 ? acts : acts.toReversed()).map((act) => act());
      const [isTaken, proven] = index % 2 === 0 ? begun : begun.toReversed();
      const [isClaimedByProvider, changed] = [await isTaken, await proven];
      expect(isClaimedByProvider).toBe(changed === undefined);
      const { accounts, password, lives, user: now } = await stateOf(registered);
      expect(now?.emailVerified).toBe(true);
      const first = [`credential ${user.id}`, `own ${account.accountId}`];
      expect({ accounts, password, lives }).toEqual(
        isClaimedByProvider
          ? { accounts: [`own ${linking.accountId}`], password: undefined, lives: false }
          : { accounts: first, password: "the first hash", lives: true },
      );
      return isClaimedByProvider;
    });
    expect(outcomes).toHaveLength(callersCount);
  });

  test("cannot link an account while losing the user to a claim, sixteen times", async () => {
    await race(async () => {
      const registered = await register({ emailVerified: false });
      const { user } = registered;
      const linking = linkingOf(user);
      const [isTaken] = await Promise.all([
        linkToUnproven(fixture.deps, linking, { isVerifiedThere: true }),
        linkAccount(fixture.deps, linkingOf(user), { revision: user.revision }),
      ]);
      expect(isTaken).toBe(true);
      expect((await stateOf(registered)).accounts).toEqual([`own ${linking.accountId}`]);
    });
  });
});
