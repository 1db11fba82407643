import type { Caller } from "@latchkey/contracts";
import { hashToken } from "@latchkey/crypto";
import { expectNoLeaks, newCaller } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { identityConfig, openIdentityDatabase, seedSession } from "../db/test-identity.fixture.ts";
import {
  callOf,
  clock,
  secondFactorDeps,
  seedApp,
  seedPerson,
} from "../second-factor/test-second-factor.fixture.ts";
import { findUser } from "../users/find-users.ts";
import { listSessions, revokeSession } from "./own-sessions.ts";
import { resolveCaller } from "../sessions/resolve-session.ts";

expectNoLeaks("file");

const { db } = await openIdentityDatabase();
const deps = secondFactorDeps(identityConfig({}), db);
const dayMs = 86_400_000;

const sessionOf = async (caller: Caller) => {
  const session = await resolveCaller(deps, caller, { disableRefresh: true });
  if (!session) throw new Error("there is no session");
  return session;
};

/** Returns the tokens in the list of a caller, newest session first. */
const listedBy = async (caller: Caller) => {
  const session = await sessionOf(caller);
  const answer = await listSessions(deps, { ...callOf(caller, undefined), session });
  return "reply" in answer ? answer.reply.map(({ token }) => token) : [];
};

/** Starts another session of a user, which has just passed a second factor. */
const startStrong = async (userId: string) => {
  const user = await findUser(deps, { id: userId });
  if (!user) throw new Error("there is no such user");
  clock.advance(1_000);
  const now = new Date(clock.now());
  const proof = { methods: ["password", "totp"], secondFactorAt: now } as const;
  return (await seedSession(deps, user, { caller: newCaller(), remember: true, proof })).token;
};

test("a strong session sees the tokens of its user's sessions", async () => {
  const { userId, caller } = await seedApp(deps);
  const token = await startStrong(userId);
  expect(await listedBy(caller)).toEqual([token, caller.sessionToken]);
});

/** Attack: a thief of an old session takes a token that has just passed the second factor, and adds a passkey with it. */
test.each([
  ["with a second factor", seedApp],
  ["without one", seedPerson],
])(
  "an old session of a user %s sees handles, which revoke but open no session",
  async (_what, seed) => {
    const { userId, caller } = await seed(deps);
    clock.advance(dayMs);
    const token = await startStrong(userId);
    const [handle = "", own] = await listedBy(caller);
    expect(own).toBe(caller.sessionToken);
    expect(handle).not.toBe(token);
    expect(await deps.sessions.find(hashToken(handle))).toBeUndefined();
    const session = await sessionOf(caller);
    await revokeSession(deps, { ...callOf(caller, { token: handle }), session });
    expect(await deps.sessions.find(hashToken(token))).toBeUndefined();
  },
);
