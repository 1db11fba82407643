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
import { changeUser } from "../users/change-user.ts";
import type { UserRow } from "../users/user-row.ts";
import { replaceSession, requireReplaced } from "./replace-session.ts";

expectNoLeaks("file");

const clock = createTestClock();
const { db } = await openIdentityDatabase();
const config = identityConfig({});
const depsOf = () => createTestDeps({ config, db, clock: clock.now });
const caller = newCaller("verifyTotp");
const now = () => new Date(clock.now());
const proof = () => ({ methods: ["totp"], secondFactorAt: now(), authenticatedAt: now() }) as const;

/** Turns the second factor on. One of several concurrent calls writes. */
const changeOf = (user: UserRow) => () =>
  changeUser(depsOf(), {
    user,
    change: { twoFactorEnabled: true },
    guard: { twoFactorEnabled: false },
    action: "two-factor.enabled",
    caller,
  });

const start = async (remember = true) => {
  const user = await seedUser(db);
  const started = await seedSession(depsOf(), user, { caller, remember });
  await depsOf().sessions.chooseOrganization(
    { tokenHash: hashToken(started.token), userId: user.id },
    { organizationId: "org", teamId: "team" },
  );
  return {
    user,
    started,
    by: {
      caller: { ...caller, sessionToken: started.token },
      session: started,
      user,
      proof: proof(),
      change: changeOf(user),
    },
  };
};

type Given = Parameters<typeof replaceSession>[1];
const kindOf = async (given: Given, on = depsOf()) => (await replaceSession(on, given)).kind;

const replace = async (given: Given) => {
  const outcome = await replaceSession(depsOf(), given);
  if (outcome.kind === "unwritten") throw new Error("nothing was written");
  return requireReplaced(outcome);
};

const listIds = async ({ id }: UserRow) =>
  (await depsOf().sessions.list(id, now(), 100)).map((session) => session.id);

test("gives the session a new token, and keeps its expiry, organization and whether it is remembered", async () => {
  const { sessions } = depsOf();
  for (const remember of [true, false]) {
    const { started, by } = await start(remember);
    clock.advance(60_000);
    const replaced = await replace({ ...by, proof: proof() });
    expect(replaced.token).not.toBe(started.token);
    expect(replaced.user.twoFactorEnabled).toBe(true);
    expect(await sessions.find(hashToken(started.token))).toBeUndefined();
    const stored = await sessions.find(hashToken(replaced.token));
    expect(stored?.session).toMatchObject({
      expiresAt: started.session.expiresAt,
      activeOrganizationId: "org",
      activeTeamId: "team",
      remembered: remember,
      methods: "totp",
      secondFactorAt: now(),
      authenticatedAt: now(),
    });
  }
});

test("leaves exactly one session of sixteen concurrent replacements at two replicas", async () => {
  const { user, by } = await start();
  const replicas = [depsOf(), depsOf()] as const;
  const replaced = await Promise.all(
    Array.from({ length: 16 }, (_, index) =>
      replaceSession(index % 2 === 0 ? replicas[0] : replicas[1], by),
    ),
  );
  expect(replaced.filter(({ kind }) => kind === "replaced")).toHaveLength(1);
  expect(await listIds(user)).toHaveLength(1);
});

test("ends the other sessions on request, and spares the new one", async () => {
  const { user, by } = await start();
  await seedSession(depsOf(), user, { caller, remember: true });
  const replaced = await replace({ ...by, endsOthers: true });
  const stored = await depsOf().sessions.find(hashToken(replaced.token));
  expect(await listIds(user)).toEqual([stored?.session.id]);
});

test("keeps the session if the change is not written or fails", async () => {
  const { user, started, by } = await start();
  const before = await listIds(user);
  const failing = { ...by, change: () => Promise.reject(new Error("no")) };
  await expect(replaceSession(depsOf(), failing)).rejects.toThrow("no");
  expect(await kindOf({ ...by, change: async () => undefined })).toBe("unwritten");
  expect(await listIds(user)).toEqual(before);
  expect(await depsOf().sessions.find(hashToken(started.token))).toBeDefined();
});

test("replaces nothing for a session that has ended", async () => {
  const { user, started, by } = await start();
  await depsOf().sessions.revokeAll(user.id, undefined, {
    actor: { kind: "system" },
    subject: { kind: "user", id: user.id },
    action: "session.revoked-all",
  });
  expect(await kindOf(by)).toBe("ended");
  expect(await depsOf().sessions.find(hashToken(started.token))).toBeUndefined();
  expect(await listIds(user)).toEqual([]);
});

test("writes nothing if the application's hook vetoes the new session", async () => {
  const { user, started, by } = await start();
  const databaseHooks = { session: { create: { before: () => false as const } } };
  const vetoing = createTestDeps({
    config: identityConfig({ databaseHooks }),
    db,
    clock: clock.now,
  });
  expect(await kindOf(by, vetoing)).toBe("vetoed");
  expect(await depsOf().sessions.find(hashToken(started.token))).toMatchObject({
    user: { id: user.id, twoFactorEnabled: false },
  });
});

/** Attack: the token of another user's session. */
test("does not replace a session of another user", async () => {
  const [mine, theirs] = [await start(), await start()];
  expect(await kindOf({ ...mine.by, session: theirs.started })).toBe("ended");
  expect(await depsOf().sessions.find(hashToken(theirs.started.token))).toBeDefined();
});

/** Attack: an impersonation that is replaced would last a week. */
test("does not replace an impersonation", async () => {
  const user = await seedUser(db);
  const impersonation = { adminId: "admin", seconds: 3600 };
  const session = await seedSession(depsOf(), user, { caller, remember: false, impersonation });
  const by = { caller: { ...caller, sessionToken: session.token }, session, user };
  const replacement = { ...by, proof: proof(), change: changeOf(user) };
  expect(await kindOf(replacement)).toBe("ended");
});
