import type { Caller } from "@latchkey/contracts";
import { expectNoLeaks, newCaller } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { identityConfig, openIdentityDatabase } from "../db/test-identity.fixture.ts";
import { changePassword } from "../passwords/change-password.ts";
import { resolveSession } from "../sessions/resolve-session.ts";
import { finishSignIn } from "../sign-in/finish-sign-in.ts";
import { findUser } from "../users/find-users.ts";
import { enableTwoFactor } from "./settings.ts";
import {
  after,
  callOf,
  clock,
  codeAt,
  outcomeOf,
  password,
  secondFactorDeps,
  seedPerson,
  type TestDeps,
} from "./test-second-factor.fixture.ts";
import { verifyTotp } from "./verify-codes.ts";

expectNoLeaks("file");

const { db } = await openIdentityDatabase();
const depsWith = (own: Parameters<typeof identityConfig>[0] = {}) =>
  secondFactorDeps(identityConfig(own), db);
const deps = depsWith();

type Person = Awaited<ReturnType<typeof seedPerson>>;

const readUser = async ({ userId }: Person) => {
  const user = await findUser(deps, { id: userId });
  if (!user) throw new Error("there is no such user");
  return user;
};

const prepareApp = async ({ caller }: { caller: Caller }, on: TestDeps = deps): Promise<string> => {
  const answer = await enableTwoFactor(on, callOf(caller, { password, method: "totp" as const }));
  if (!("reply" in answer)) throw new Error("not prepared");
  return answer.reply.totpURI ?? "";
};

const enableApp = async (person: Person): Promise<void> => {
  const totpURI = await prepareApp(person);
  await verifyTotp(deps, callOf(person.caller, { code: codeAt(totpURI, 0) }));
};

const enableMailedCodes = ({ caller }: Person, on: TestDeps = deps) =>
  enableTwoFactor(on, callOf(caller, { password, method: "otp" as const }));

const countSessions = async ({ userId }: Person): Promise<number> =>
  (await deps.sessions.list(userId, new Date(clock.now()), 10)).length;

/** The password is verified between the read of the user and the session, which takes long enough for a change. */
describe("a second factor that is switched on during", () => {
  test("a sign-in is requested, and no session starts without it", async () => {
    const person = await seedPerson(deps);
    const user = await readUser(person);
    await enableApp(person);
    const factor = { user, method: "password", caller: newCaller(), remember: true } as const;
    const outcome = await finishSignIn(deps, factor);
    expect(outcome).toMatchObject({ kind: "challenge", challenge: { twoFactorMethods: ["totp"] } });
    expect(await countSessions(person)).toBe(1);
  });

  test("a sign-in that must set one up is not replaced by it", async () => {
    const required = depsWith({ twoFactor: { required: { everyone: true } } });
    const person = await seedPerson(deps);
    const user = await readUser(person);
    await enableMailedCodes(person);
    const caller = newCaller();
    const factor = { user, method: "password", caller, remember: true } as const;
    const outcome = await finishSignIn(required, factor);
    const twoFactor =
      (outcome?.kind === "challenge" && outcome.effect.keeps?.twoFactor?.value) || "";
    expect(outcome).toMatchObject({ challenge: { twoFactorEnrolment: true } });
    const enabling = { caller: { ...caller, kept: { twoFactor } } };
    expect(await outcomeOf(prepareApp(enabling, required))).toBe("UNAUTHORIZED");
  });

  test("a change of the password is not outlived by the session of that change", async () => {
    const person = await seedPerson(deps);
    const { caller } = person;
    const session = await resolveSession(deps, caller, { disableRefresh: true });
    if (!session) throw new Error("the session has ended");
    await enableApp(person);
    const body = {
      currentPassword: password,
      newPassword: `${password}!`,
      revokeOtherSessions: true,
    };
    const change = changePassword(deps, { ...callOf(caller, body), session });
    expect(await outcomeOf(change)).toBe("UNAUTHORIZED");
    expect(await countSessions(person)).toBe(1);
  });
});

test("an app that was prepared before codes by mail were turned on cannot replace them", async () => {
  const keeping = depsWith({ twoFactor: { revokeOtherSessions: false } });
  const person = await seedPerson(keeping);
  const totpURI = await prepareApp(person, keeping);
  const { effect } = await enableMailedCodes(person, keeping);
  const caller = after(person.caller, effect);
  const code = codeAt(totpURI, 0);
  expect(await outcomeOf(verifyTotp(keeping, callOf(caller, { code })))).toBe("TOTP_NOT_ENABLED");
});
