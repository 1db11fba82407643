import type { ResolvedSession } from "@latchkey/service-kit/http";
import { createTestClock, expectNoLeaks, newCaller } from "@latchkey/testkit";
import { expect, test } from "vitest";
import {
  openIdentityDatabase,
  createTestDeps,
  identityConfig,
  seedUser,
  seedSession,
} from "../db/test-identity.fixture.ts";
import { resolveSession } from "../sessions/resolve-session.ts";
import { findUser } from "../users/find-users.ts";
import { changePassword, verifyPassword } from "./change-password.ts";
import { createPasswordHasher } from "./password-hasher.ts";
import { replacePassword } from "./replace-password.ts";

expectNoLeaks("file");

const clock = createTestClock();
const caller = newCaller("changePassword");

const { db } = await openIdentityDatabase();

const config = identityConfig({ session: { cookieCache: { enabled: true } } });
const passwords = createPasswordHasher(config.emailAndPassword.password);
const deps = { ...createTestDeps({ config, db, clock: clock.now }), passwords };

const currentPassword = "correct horse battery";
const seedPerson = async () => {
  const user = await seedUser(db);
  await replacePassword(deps, {
    userId: user.id,
    passwordHash: await passwords.hash(currentPassword),
    ends: "none",
    action: "password.set",
    actor: { kind: "system" },
    caller,
  });
  return user;
};

const noInput = { params: undefined, query: undefined };

/** Changes the password in a session, and ends all others. */
const change = (session: ResolvedSession) =>
  changePassword(deps, {
    caller,
    body: { newPassword: "another battery", currentPassword, revokeOtherSessions: true },
    session,
    ...noInput,
  });

test("gives the new session's cookie cache the user revision after the end of the other sessions", async () => {
  const user = await seedPerson();
  const answer = await change(await seedSession(deps, user, { caller, remember: true }));
  const epoch = (await findUser(deps, { id: user.id }))?.revision;
  expect(epoch).toBeGreaterThan(user.revision);
  expect(answer.effect).toMatchObject({ kind: "issue", cached: { epoch } });
});

test("keeps what the session has shown before", async () => {
  const user = await seedPerson();
  const proof = { methods: ["passkey"], secondFactorAt: new Date(clock.now()) } as const;
  const { token } = await seedSession(deps, user, { caller, remember: true, proof });
  const resolve = (sessionToken: string) =>
    resolveSession(deps, { ...caller, sessionToken }, { disableRefresh: true });
  const session = await resolve(token);
  if (!session) throw new Error("there is no session");
  const answer = await change(session);
  const started = "reply" in answer ? await resolve(answer.reply.token ?? "") : undefined;
  expect(started?.authentication).toMatchObject({
    methods: "passkey,password",
    secondFactorAt: proof.secondFactorAt,
  });
});

test("a checked password makes an old session recent, without a second factor", async () => {
  const user = await seedPerson();
  const authenticatedAt = new Date(clock.now() - 86_400_000);
  const proof = { methods: ["passkey"], authenticatedAt } as const;
  const { token } = await seedSession(deps, user, { caller, remember: true, proof });
  const resolve = async () =>
    resolveSession(deps, { ...caller, sessionToken: token }, { disableRefresh: true });
  const verify = async (password: string) => {
    const session = await resolve();
    if (!session) throw new Error("there is no session");
    return verifyPassword(deps, { ...noInput, caller, body: { password }, session });
  };
  await expect(verify("a guess")).rejects.toThrow("Invalid password");
  expect((await resolve())?.authentication).toMatchObject({ authenticatedAt });
  expect(await verify(currentPassword)).toEqual({ reply: { status: true } });
  expect((await resolve())?.authentication).toEqual({
    authenticatedAt: new Date(clock.now()),
    secondFactorAt: null,
    methods: "passkey,password",
  });
});

test("a user without a password gets the answer of a wrong one", async () => {
  const session = await seedSession(deps, await seedUser(db), { caller, remember: true });
  const call = { ...noInput, caller, body: { password: currentPassword }, session };
  await expect(verifyPassword(deps, call)).rejects.toThrow("Invalid password");
});
