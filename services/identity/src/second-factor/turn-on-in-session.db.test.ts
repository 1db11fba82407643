import type { Caller, LatchkeyConfig } from "@latchkey/contracts";
import { expectNoLeaks, newCaller } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { claimUser } from "../accounts/link-account.ts";
import { identityConfig, openIdentityDatabase } from "../db/test-identity.fixture.ts";
import { resolveCaller } from "../sessions/resolve-session.ts";
import { findUser } from "../users/find-users.ts";
import { countBackupCodes } from "./backup-codes.ts";
import { disableTwoFactor, enableTwoFactor, generateBackupCodes } from "./settings.ts";

import { readTwoFactorStatus } from "./read-two-factor-status.ts";
import { sendTwoFactorCode, verifyTotp, verifyTwoFactorCode } from "./verify-codes.ts";
import {
  callOf,
  clock,
  codeAt,
  mailedCodes,
  outcomeOf,
  password,
  secondFactorDeps,
  seedApp,
  seedPerson,
  type TestDeps,
} from "./test-second-factor.fixture.ts";

expectNoLeaks("file");

const { db } = await openIdentityDatabase();
const depsWith = (own: LatchkeyConfig = {}) => secondFactorDeps(identityConfig(own), db);
const deps = depsWith();
const vetoing = depsWith({ databaseHooks: { session: { create: { before: () => false } } } });

const enableMailedCodes = (caller: Caller, on: TestDeps = deps) =>
  enableTwoFactor(on, callOf(caller, { password, method: "otp" as const }));

const sessionOf = async (caller: Caller) => {
  const session = await resolveCaller(deps, caller, { disableRefresh: true });
  if (!session) throw new Error("there is no session");
  return session;
};

const isOn = async (userId: string) =>
  (await findUser(deps, { id: userId }))?.twoFactorEnabled ?? false;

/** The owner of an unproven address claims its user. */
const claim = async (userId: string) => {
  const user = await findUser(deps, { id: userId });
  if (!user) throw new Error("there is no such user");
  clock.advance(1);
  await claimUser(deps, { user, isVerified: true, caller: newCaller() });
};

/** Runs something between the read of a session and the start of the one that replaces it. */
const whileReplacing = (meanwhile: () => Promise<void>): TestDeps => ({
  ...deps,
  sessions: {
    ...deps.sessions,
    insert: async (...given) => {
      await meanwhile();
      return deps.sessions.insert(...given);
    },
  },
});

describe("an application's hook that vetoes the new session", () => {
  test("fails the switch on and off, and changes nothing", async () => {
    const { userId, caller } = await seedPerson(deps);
    expect(await outcomeOf(enableMailedCodes(caller, vetoing))).toBe("FAILED_TO_CREATE_SESSION");
    expect(await isOn(userId)).toBe(false);
    const on = await seedApp(deps);
    const session = await sessionOf(on.caller);
    const off = disableTwoFactor(vetoing, { ...callOf(on.caller, { password }), session });
    expect(await outcomeOf(off)).toBe("FAILED_TO_CREATE_SESSION");
    expect(await isOn(on.userId)).toBe(true);
  });

  test("does not make a right first code a wrong one", async () => {
    const { caller } = await seedPerson(deps);
    const body = { password, method: "totp" as const };
    const prepared = await enableTwoFactor(deps, callOf(caller, body));
    const code = codeAt(("reply" in prepared && prepared.reply.totpURI) || "", 0);
    expect(await outcomeOf(verifyTotp(vetoing, callOf(caller, { code })))).toBe(
      "FAILED_TO_CREATE_SESSION",
    );
  });
});

test("a session that ends meanwhile is told so, and changes nothing", async () => {
  const { userId, caller } = await seedApp(deps);
  const session = await sessionOf(caller);
  const ended = { kind: "user", id: userId } as const;
  await deps.sessions.revokeAll(userId, undefined, {
    actor: { kind: "system" },
    subject: ended,
    action: "session.revoked-all",
  });
  const off = disableTwoFactor(deps, { ...callOf(caller, { password }), session });
  expect(await outcomeOf(off)).toBe("UNAUTHORIZED");
  expect(await isOn(userId)).toBe(true);
});

/** Attack: the first registrant of an address turns codes by mail on while the owner claims the user. */
test("a second factor that is turned on during a claim does not outlive it", async () => {
  const { userId, caller } = await seedPerson(deps);
  await db
    .updateTable("user")
    .set({ verifiedByLinkAlone: true })
    .where("id", "=", userId)
    .execute();
  const overlapping = whileReplacing(() => claim(userId));
  expect(await outcomeOf(enableMailedCodes(caller, overlapping))).toBe("UNAUTHORIZED");
  expect(await isOn(userId)).toBe(false);
});

describe("backup codes that are generated while", () => {
  /** Runs something while the password is verified. */
  const whileVerifying = (meanwhile: () => Promise<unknown>): TestDeps => ({
    ...deps,
    passwords: {
      ...deps.passwords,
      verify: async (...given) => {
        const isRight = await deps.passwords.verify(...given);
        await meanwhile();
        return isRight;
      },
    },
  });

  test.each<[string, string, (userId: string, caller: Caller) => Promise<unknown>]>([
    [
      "the second factor is turned off",
      "TWO_FACTOR_NOT_ENABLED",
      async (_userId, caller) => {
        const session = await sessionOf(caller);
        return disableTwoFactor(deps, { ...callOf(caller, { password }), session });
      },
    ],
    [
      "the user is claimed",
      "UNAUTHORIZED",
      async (userId) => {
        const set = { verifiedByLinkAlone: true };
        await db.updateTable("user").set(set).where("id", "=", userId).execute();
        await claim(userId);
      },
    ],
  ])("%s are refused, and none is stored", async (_what, refusal, meanwhile) => {
    const { userId, caller } = await seedApp(deps);
    const session = await sessionOf(caller);
    const overlapping = whileVerifying(() => meanwhile(userId, caller));
    const generate = generateBackupCodes(overlapping, { ...callOf(caller, { password }), session });
    expect(await outcomeOf(generate)).toBe(refusal);
    expect(await countBackupCodes(db, userId)).toBe(0);
  });
});

describe("codes by mail", () => {
  const withEmail = async (set: { email: string } | { emailVerified: boolean }) => {
    const person = await seedPerson(deps);
    await db.updateTable("user").set(set).where("id", "=", person.userId).execute();
    return person;
  };
  const availableTo = async (caller: Caller) => {
    const call = { ...callOf(caller, undefined), session: await sessionOf(caller) };
    const answer = await readTwoFactorStatus(deps, call);
    return "reply" in answer ? answer.reply.available : [];
  };

  test("need a first code if the address is unproven", async () => {
    const { userId, caller } = await withEmail({ emailVerified: false });
    expect(await outcomeOf(enableMailedCodes(caller))).toBe("EMAIL_NOT_VERIFIED");
    expect(await availableTo(caller)).toEqual(["totp", "otp"]);
    await sendTwoFactorCode(deps, callOf(caller, {}));
    const [code = ""] = await mailedCodes(db, userId);
    expect(await outcomeOf(verifyTwoFactorCode(deps, callOf(caller, { code })))).toBe("right");
    expect(await isOn(userId)).toBe(true);
  });

  test("cannot be turned on for an address that receives no mail", async () => {
    const { userId, caller } = await withEmail({ email: "someone@github.invalid" });
    expect(await outcomeOf(enableMailedCodes(caller))).toBe("OTP_NOT_CONFIGURED");
    expect(await outcomeOf(sendTwoFactorCode(deps, callOf(caller, {})))).toBe("OTP_NOT_CONFIGURED");
    expect(await availableTo(caller)).toEqual(["totp"]);
    expect(await isOn(userId)).toBe(false);
  });
});
