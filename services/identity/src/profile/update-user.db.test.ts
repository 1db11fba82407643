import { createTestClock, expectNoLeaks, newCaller } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { applyClaim } from "../accounts/drop-accounts.ts";
import {
  openIdentityDatabase,
  createTestDeps,
  identityConfig,
  newUser,
} from "../db/test-identity.fixture.ts";
import { resetPassword } from "../passwords/reset-password.ts";
import { createSession } from "../sessions/create-session.ts";
import { issueSecret } from "../secrets/secrets.ts";
import { changeEmail } from "./update-user.ts";
import { findUser } from "../users/find-users.ts";
import { insertUser } from "../users/queries.ts";

expectNoLeaks("file");

const clock = createTestClock();
const callersCount = 16;
const caller = newCaller("changeEmail");
const config = identityConfig({ user: { changeEmail: { enabled: true } } });
const passwords = {
  hash: async (password: string) => `hash of ${password}`,
  verify: async () => true,
  upgrade: async () => undefined,
  isUpgrade: () => false,
};

const { db } = await openIdentityDatabase(20);
const createDeps = () => ({ ...createTestDeps({ config, db, clock: clock.now }), passwords });

/** A user with an unverified address, a session and a link to reset the password. */
const register = async () => {
  const deps = createDeps();
  const user = await insertUser(db, newUser());
  const created =
    user &&
    (await createSession(deps, user, { caller, remember: true, proof: { methods: ["password"] } }));
  if (!created) throw new Error("the session was not created");
  const mailed = { name: "passwordReset", holder: user.id, lifetimeSeconds: 60 } as const;
  const { token } = await issueSecret(deps, db, mailed);
  const newEmail = `other-${user.id}@example.com`.toLowerCase();
  const session = { session: created.session, user: deps.showUser(user) };
  return {
    user,
    newEmail,
    /** Uses the session as it was read at the beginning. */
    change: () =>
      changeEmail(deps, {
        body: { newEmail },
        caller,
        session,
        params: undefined,
        query: undefined,
      }),
    reset: () =>
      resetPassword(deps, {
        body: { token, newPassword: "a new password" },
        query: {},
        params: undefined,
        session: undefined,
        caller,
      }),
    email: async () => (await findUser(deps, user))?.email,
  };
};

const isDone = (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  );

/**
 * Attack: the first registrant of a victim's address changes the user to an own address while the victim claims the user.
 */
test("rejects a change of address in a session whose user was claimed, even before the session has ended", async () => {
  const { user, change, email } = await register();
  await db
    .transaction()
    .execute((trx) => applyClaim(trx, createDeps(), { userId: user.id, kept: "", caller }));
  await expect(change()).rejects.toThrow("Couldn't update your email");
  expect(await email()).toBe(user.email);
});

test("performs one of a concurrent change of address and reset by the old address, sixteen times", async () => {
  const outcomes = Array.from({ length: callersCount }, async (_, index) => {
    const { user, newEmail, change, reset, email } = await register();
    // Half of the runs start in reverse order.
    const acts = index % 2 === 0 ? [change, reset] : [reset, change];
    const done = await Promise.all(acts.map((act) => isDone(act())));
    const [isChanged, isReset] = index % 2 === 0 ? done : done.toReversed();
    expect(isChanged).toBe(!isReset);
    expect(await email()).toBe(isReset ? user.email : newEmail);
  });
  await Promise.all(outcomes);
});
