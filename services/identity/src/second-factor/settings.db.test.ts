import type { Caller, LatchkeyConfig } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { identityConfig, openIdentityDatabase, seedSession } from "../db/test-identity.fixture.ts";
import { resolveCaller } from "../sessions/resolve-session.ts";
import { findUser } from "../users/find-users.ts";
import { disableTwoFactor } from "./settings.ts";
import { sendTwoFactorCode, verifyTwoFactorCode } from "./verify-codes.ts";
import {
  after,
  callOf,
  clock,
  mailedCodes,
  password,
  secondFactorDeps,
  seedPerson,
  type TestDeps,
} from "./test-second-factor.fixture.ts";

expectNoLeaks("file");

const { db } = await openIdentityDatabase();
const depsWith = (own: LatchkeyConfig = {}) => secondFactorDeps(identityConfig(own), db);
const deps = depsWith();

const sessionOf = (caller: Caller, on: TestDeps = deps) =>
  resolveCaller(on, caller, { disableRefresh: true });

const resolved = async (caller: Caller) => {
  const session = await sessionOf(caller);
  if (!session) throw new Error("there is no session");
  return session;
};

/** A user who has turned codes by mail on by a first code. Another browser has passed the second factor too. */
const seedMailedCodes = async () => {
  const { userId, caller } = await seedPerson(deps);
  await sendTwoFactorCode(deps, callOf(caller, {}));
  const [code = ""] = await mailedCodes(db, userId);
  const { effect } = await verifyTwoFactorCode(deps, callOf(caller, { code }));
  const user = await findUser(deps, { id: userId });
  if (!user) throw new Error("there is no such user");
  const own = after(caller, effect);
  const proof = { methods: ["password", "otp"], secondFactorAt: new Date(clock.now()) } as const;
  const elsewhere = await seedSession(deps, user, { caller, remember: true, proof });
  return { userId, own, elsewhere: { ...caller, sessionToken: elsewhere.token } };
};

const disable = async (caller: Caller, on: TestDeps = deps) =>
  disableTwoFactor(on, { ...callOf(caller, { password }), session: await resolved(caller) });

const secondFactorAtOf = async (caller: Caller) =>
  (await resolved(caller)).authentication?.secondFactorAt;

/** Attack: codes by mail are turned on, passed and turned off again, to act where a second factor is required. */
test("sessions have passed no second factor any more once it is off", async () => {
  const { own, elsewhere } = await seedMailedCodes();
  for (const caller of [own, elsewhere]) expect(await secondFactorAtOf(caller)).not.toBeNull();
  const { effect } = await disable(own);
  for (const caller of [after(own, effect), elsewhere])
    expect(await secondFactorAtOf(caller)).toBeNull();
});

test("the session that turned it off must pass a later one anew", async () => {
  const { userId, own } = await seedMailedCodes();
  const { effect } = await disable(own);
  await db.updateTable("user").set({ twoFactorEnabled: true }).where("id", "=", userId).execute();
  expect(await secondFactorAtOf(after(own, effect))).toBeNull();
});

test("a requirement ends the sessions of a user who turned it off before", async () => {
  const { own, elsewhere } = await seedMailedCodes();
  const { effect } = await disable(own);
  const required = depsWith({ twoFactor: { required: { everyone: true } } });
  for (const caller of [after(own, effect), elsewhere])
    expect(await sessionOf(caller, required)).toBeUndefined();
});
