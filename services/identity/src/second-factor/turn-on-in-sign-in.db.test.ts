import { hashToken } from "@latchkey/crypto";
import { expectNoLeaks, newCaller } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { identityConfig, openIdentityDatabase, seedSession } from "../db/test-identity.fixture.ts";
import { endEarlierSessions } from "../sessions/end-sessions.ts";
import { findUser } from "../users/find-users.ts";
import { enableTwoFactor } from "./settings.ts";
import {
  beginSignIn,
  callOf,
  clock,
  codeAt,
  secondFactorDeps,
  seedPerson,
  type TestDeps,
} from "./test-second-factor.fixture.ts";
import { verifyTotp } from "./verify-codes.ts";

expectNoLeaks("file");

const { db } = await openIdentityDatabase();
const deps = secondFactorDeps(identityConfig({ twoFactor: { required: { everyone: true } } }), db);

/** A user with a session in another browser that the requirement has not ended, and a sign-in that sets an app up. */
const begin = async () => {
  const { userId } = await seedPerson(deps);
  const user = await findUser(deps, { id: userId });
  if (!user) throw new Error("there is no such user");
  const elsewhere = await seedSession(deps, user, {
    caller: newCaller(),
    remember: true,
    proof: { methods: ["passkey"], secondFactorAt: new Date(clock.now()) },
  });
  const { caller } = await beginSignIn(deps, userId);
  const prepared = await enableTwoFactor(deps, callOf(caller, { method: "totp" as const }));
  if (!("reply" in prepared)) throw new Error("not prepared");
  clock.advance(1_000);
  const code = codeAt(prepared.reply.totpURI ?? "", 0);
  const turnOn = (on: TestDeps) => verifyTotp(on, callOf(caller, { code }));
  return { userId, user, elsewhere: hashToken(elsewhere.token), turnOn };
};

const epochOf = async (userId: string) => {
  const row = db.selectFrom("userEpoch").select("epoch").where("userId", "=", userId);
  return (await row.executeTakeFirst())?.epoch ?? 0;
};

test("a second factor that a sign-in turns on ends other sessions and their cached copies at once", async () => {
  const { userId, user, elsewhere, turnOn } = await begin();
  const { effect } = await turnOn(deps);
  expect(await deps.sessions.find(elsewhere)).toBeUndefined();
  expect(await epochOf(userId)).toBeGreaterThan(user.revision);
  const token = effect?.kind === "issue" ? effect.token : "";
  expect((await deps.sessions.find(hashToken(token)))?.user.id).toBe(userId);
});

/** A session of a thief must not live on because a process died at the wrong moment. */
test("it ends them by its event if the process dies before", async () => {
  const { userId, user, elsewhere, turnOn } = await begin();
  const dying = {
    ...deps,
    sessions: { ...deps.sessions, revokeAll: () => Promise.reject(new Error("the process dies")) },
  };
  await expect(turnOn(dying)).rejects.toThrow("dies");
  expect(await deps.sessions.find(elsewhere)).toBeDefined();
  expect(await epochOf(userId)).toBeGreaterThan(user.revision);
  const events = await db
    .selectFrom("outbox")
    .select(["id", "data", "occurredAt"])
    .where("name", "=", "session.revoked-all")
    .execute();
  const event = events.find(({ data }) => data.includes(userId));
  await endEarlierSessions(deps, {
    id: event?.id ?? "",
    name: "session.revoked-all",
    version: 1,
    occurredAt: event?.occurredAt.toISOString() ?? "",
    data: JSON.parse(event?.data ?? "{}"),
  });
  expect(await deps.sessions.find(elsewhere)).toBeUndefined();
});
