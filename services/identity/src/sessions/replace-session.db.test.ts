import { hashToken } from "@latchkey/crypto";
import { createTestClock, expectNoLeaks, newCaller } from "@latchkey/testkit";
import { expect, test } from "vitest";
import {
  createTestDeps,
  identityConfig,
  openIdentityDatabase,
  seedSession,
  seedUser,
} from "../db/test-identity.fixture.ts";
import { replaceSession } from "./replace-session.ts";

expectNoLeaks("file");

const clock = createTestClock();
const { db } = await openIdentityDatabase();
const config = identityConfig({});
const depsOf = () => createTestDeps({ config, db, clock: clock.now });
const caller = newCaller("verifyTotp");
const proof = { methods: ["password", "totp"], secondFactorAt: new Date(clock.now()) } as const;

const start = async (remember = true) => {
  const user = await seedUser(db);
  const session = await seedSession(depsOf(), user, { caller, remember });
  await depsOf().sessions.chooseOrganization(
    { tokenHash: hashToken(session.token), userId: user.id },
    "org",
  );
  return { user, session, by: { caller: { ...caller, sessionToken: session.token }, proof } };
};

test("gives the session a new token, and keeps its expiry, organization and whether it is remembered", async () => {
  const { sessions } = depsOf();
  for (const remember of [true, false]) {
    const { user, session, by } = await start(remember);
    clock.advance(60_000);
    const created = await replaceSession(depsOf(), user, by);
    expect(created?.token).not.toBe(session.token);
    expect(created?.session).toMatchObject({
      expiresAt: session.session.expiresAt,
      activeOrganizationId: "org",
    });
    expect(await sessions.find(hashToken(session.token))).toBeUndefined();
    const found = await sessions.find(hashToken(created?.token ?? ""));
    expect(found?.session).toMatchObject({
      remembered: remember,
      methods: "password,totp",
      secondFactorAt: proof.secondFactorAt,
      authenticatedAt: new Date(clock.now()),
    });
  }
});

test("leaves exactly one session of sixteen concurrent replacements at two replicas", async () => {
  const { user, by } = await start();
  const replicas = [depsOf(), depsOf()] as const;
  const created = await Promise.all(
    Array.from({ length: 16 }, (_, index) =>
      replaceSession(index % 2 === 0 ? replicas[0] : replicas[1], user, by),
    ),
  );
  const [only, ...others] = created.filter((one) => one !== undefined);
  expect(others).toEqual([]);
  const live = await replicas[0].sessions.list(user.id, new Date(clock.now()), 100);
  expect(live.map(({ id }) => id)).toEqual([only?.session.id]);
});

test.each([
  ["without a token", () => ({ sessionToken: undefined })],
  ["with a token of no session", () => ({ sessionToken: "nobody's" })],
])("replaces nothing %s", async (_what, over) => {
  const { user, session, by } = await start();
  const other = { ...by, caller: { ...by.caller, ...over() } } as typeof by;
  expect(await replaceSession(depsOf(), user, other)).toBeUndefined();
  expect(await depsOf().sessions.find(hashToken(session.token))).toBeDefined();
});

/** Attack: the token of another user's session. */
test("does not replace a session of another user", async () => {
  const [mine, theirs] = [await start(), await start()];
  expect(await replaceSession(depsOf(), mine.user, theirs.by)).toBeUndefined();
  expect(await depsOf().sessions.find(hashToken(theirs.session.token))).toBeDefined();
});

/** Attack: an impersonation that is replaced would last a week. */
test("does not replace an impersonation", async () => {
  const user = await seedUser(db);
  const impersonation = { adminId: "admin", seconds: 3600 };
  const started = await seedSession(depsOf(), user, { caller, remember: false, impersonation });
  const by = { caller: { ...caller, sessionToken: started.token }, proof };
  expect(await replaceSession(depsOf(), user, by)).toBeUndefined();
});
