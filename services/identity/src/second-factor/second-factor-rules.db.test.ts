import { createSecretRing } from "@latchkey/crypto";
import { passSealed } from "@latchkey/service-kit/secrets";
import { expectNoLeaks, newCaller, testSecret } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { applyClaim } from "../accounts/drop-accounts.ts";
import { insertAccount, lockUser } from "../users/queries.ts";
import { identityConfig, openIdentityDatabase } from "../db/test-identity.fixture.ts";
import { replacePassword } from "../passwords/replace-password.ts";
import { finishSignIn } from "../sign-in/finish-sign-in.ts";
import { findUser } from "../users/find-users.ts";
import { countBackupCodes, insertBackupCodes, storedBackupCode } from "./backup-codes.ts";
import { enableTwoFactor } from "./settings.ts";
import { findTwoFactor } from "../rows/second-factors.ts";
import {
  sendTwoFactorCode,
  verifyBackupCode,
  verifyTotp,
  verifyTwoFactorCode,
} from "./verify-codes.ts";
import { sweepSecondFactors } from "../sweeps.ts";
import {
  beginSignIn,
  callOf,
  clock,
  codeAt,
  mailedCodes,
  outcomeOf,
  password,
  readSessionOf,
  secondFactorDeps,
  seedApp,
  seedPerson,
  wrongCode,
} from "./test-second-factor.fixture.ts";

expectNoLeaks("file");

const { db } = await openIdentityDatabase();
const depsWith = (own: Parameters<typeof identityConfig>[0] = {}) =>
  secondFactorDeps(identityConfig(own), db);
const deps = depsWith();
const besideTotp = depsWith({ twoFactor: { otpOptions: { besideTotp: true } } });

/** A user whose second factor is codes by mail. */
const seedMailedCodes = async () => {
  const person = await seedPerson(deps);
  await enableTwoFactor(deps, callOf(person.caller, { password, method: "otp" as const }));
  return person;
};

describe("the offered methods", () => {
  test("are the app alone, and codes by mail beside it only if the options say so", async () => {
    const { userId } = await seedApp(deps);
    const methodsOf = async (on: typeof deps) =>
      (await beginSignIn(on, userId)).challenge.twoFactorMethods;
    expect(await methodsOf(deps)).toEqual(["totp"]);
    expect(await methodsOf(besideTotp)).toEqual(["totp", "otp"]);
    const { caller } = await beginSignIn(deps, userId);
    expect(await outcomeOf(sendTwoFactorCode(deps, callOf(caller, {})))).toBe("OTP_NOT_CONFIGURED");
  });

  /** Attack: the mailbox alone would be both factors. */
  test.each(["magic-link", "email-otp"] as const)(
    "are no codes by mail after a sign-in by %s, which is refused if nothing else is left",
    async (method) => {
      const { userId } = await seedApp(deps);
      const { challenge, caller } = await beginSignIn(besideTotp, userId, { method });
      expect(challenge.twoFactorMethods).toEqual(["totp"]);
      const send = sendTwoFactorCode(besideTotp, callOf(caller, {}));
      expect(await outcomeOf(send)).toBe("OTP_NOT_CONFIGURED");
      const other = await seedMailedCodes();
      const withBackupCodes = await beginSignIn(deps, other.userId, { method });
      expect(withBackupCodes.challenge.twoFactorMethods).toEqual([]);
      await db.deleteFrom("backupCode").where("userId", "=", other.userId).execute();
      expect(await outcomeOf(beginSignIn(deps, other.userId, { method }))).toBe(
        "TWO_FACTOR_REQUIRED",
      );
    },
  );

  /** Attack: a reader of the mailbox resets the password, and then uses a mailed code. */
  test("are no codes by mail within an hour after a reset by mail, for a user with an app", async () => {
    const { userId } = await seedApp(deps);
    await db.updateTable("user").set({ emailVerified: true }).where("id", "=", userId).execute();
    const reset = {
      userId,
      passwordHash: "hash of a third",
      ends: "all",
      byMail: true,
      action: "password.reset",
      actor: { kind: "user", id: userId },
      caller: newCaller(),
    } as const;
    await replacePassword(deps, reset);
    const methods = async () => (await beginSignIn(besideTotp, userId)).challenge.twoFactorMethods;
    expect(await methods()).toEqual(["totp"]);
    clock.advance(3_600_000);
    expect(await methods()).toEqual(["totp", "otp"]);
  });

  test("are asked of no sign-in method that the options exempt, and of no verified passkey", async () => {
    const { userId } = await seedApp(deps);
    const exempt = depsWith({ twoFactor: { skipFor: ["social"] } });
    const user = (await findUser(deps, { id: userId }))!; // seeded
    const factor = { user, caller: newCaller(), remember: true } as const;
    const social = await finishSignIn(exempt, { ...factor, method: "social:github" });
    expect(social?.kind).toBe("session");
    const byPassword = await finishSignIn(exempt, { ...factor, method: "password" });
    expect(byPassword?.kind).toBe("challenge");
    const passkey = await finishSignIn(deps, { ...factor, method: "passkey", isBothFactors: true });
    expect(passkey?.kind).toBe("session");
    const outcome = await finishSignIn(deps, { ...factor, method: "social:github" });
    expect(outcome?.kind).toBe("challenge");
  });
});

describe("a waiting sign-in", () => {
  /** Attack: a sign-in that was begun with the former password. */
  test("is not stored if the first factor is no longer granted", async () => {
    const { userId } = await seedApp(deps);
    const user = (await findUser(deps, { id: userId }))!; // seeded
    const outcome = await finishSignIn(deps, {
      user,
      method: "password",
      caller: newCaller(),
      remember: true,
      isStillGranted: async () => false,
    });
    expect(outcome).toBeUndefined();
    const rows = db.selectFrom("signInChallenge").select("purpose").where("userId", "=", userId);
    expect(await rows.execute()).toEqual([]);
  });

  test("remembers the first factor, the moment of the second and whether to remember", async () => {
    const { userId, totpURI } = await seedApp(deps);
    const { caller } = await beginSignIn(deps, userId, { remember: false });
    clock.advance(1000);
    const answer = await verifyTotp(deps, callOf(caller, { code: codeAt(totpURI, 0) }));
    expect(answer).toMatchObject({ effect: { kind: "issue", maxAgeSeconds: null } });
    expect(await readSessionOf(deps, userId)).toMatchObject({
      session: { remembered: false },
      methods: "password,totp",
      secondFactorAt: new Date(clock.now()),
    });
  });

  test("expires", async () => {
    const { userId, totpURI } = await seedApp(deps);
    const { caller } = await beginSignIn(deps, userId);
    clock.advance(600_000);
    const late = verifyTotp(deps, callOf(caller, { code: codeAt(totpURI, 0) }));
    expect(await outcomeOf(late)).toBe("INVALID_TWO_FACTOR_COOKIE");
    clock.advance(1);
    expect(await sweepSecondFactors(deps)).toBeGreaterThan(0);
  });

  test("gives no session for a backup code that ends it", async () => {
    const { userId, backupCodes } = await seedApp(deps);
    const { caller } = await beginSignIn(deps, userId);
    const body = { code: backupCodes[0]?.toUpperCase() ?? "", disableSession: true };
    const answer = await verifyBackupCode(deps, callOf(caller, body));
    expect(answer).toMatchObject({ effect: { kind: "keep", keeps: { twoFactor: null } } });
    expect("reply" in answer && answer.reply.token).toBeUndefined();
    const again = verifyBackupCode(deps, callOf(caller, { code: backupCodes[1] ?? "" }));
    expect(await outcomeOf(again)).not.toBe("right");
  });
});

describe("the trust in a browser", () => {
  const trusted = { kept: { trustedDevice: "of another user" } };

  test.each(["magic-link", "email-otp", "social:google"] as const)(
    "stays after a sign-in by %s, which does not use it",
    async (method) => {
      const { userId } = await seedApp(deps);
      const caller = { ...newCaller(), ...trusted };
      const { effect } = await beginSignIn(deps, userId, { method, caller });
      expect(effect.keeps).not.toHaveProperty("trustedDevice");
    },
  );

  /** Returns what the browser keeps after a user has passed the second factor in it and trusts it. */
  const trust = async (
    { userId, backupCodes }: Awaited<ReturnType<typeof seedApp>>,
    trustedDevice?: string,
  ): Promise<string> => {
    const keptValues = trustedDevice === undefined ? {} : { trustedDevice };
    const { caller } = await beginSignIn(deps, userId, {
      caller: { ...newCaller(), kept: keptValues },
    });
    const body = { code: backupCodes[0] ?? "", trustDevice: true };
    const { effect } = await verifyBackupCode(
      deps,
      callOf({ ...caller, kept: { ...keptValues, ...caller.kept } }, body),
    );
    return effect && "keeps" in effect ? (effect.keeps?.trustedDevice?.value ?? "") : "";
  };
  const signIn = async (userId: string, trustedDevice: string) => {
    const user = (await findUser(deps, { id: userId }))!; // seeded
    const caller = { ...newCaller(), kept: { trustedDevice } };
    return finishSignIn(deps, { user, method: "password", caller, remember: true });
  };
  const keptAfter = (finished: Awaited<ReturnType<typeof signIn>>) =>
    finished && "keeps" in finished.effect ? finished.effect.keeps?.trustedDevice : undefined;

  test("of another user stays after a sign-in by password", async () => {
    const [first, second] = [await seedApp(deps), await seedApp(deps)];
    const trustedValue = await trust(first);
    const { effect } = await beginSignIn(deps, second.userId, {
      caller: { ...newCaller(), kept: { trustedDevice: trustedValue } },
    });
    expect(effect.keeps).not.toHaveProperty("trustedDevice");
    const both = await trust(second, trustedValue);
    for (const { userId } of [first, second])
      expect((await signIn(userId, both))?.kind).toBe("session");
  });

  test("is kept for five users of a browser, and the sixth replaces the oldest", async () => {
    const users: Awaited<ReturnType<typeof seedApp>>[] = [];
    let trustedValue: string | undefined;
    for (let index = 0; index < 6; index++) {
      users.push(await seedApp(deps));
      trustedValue = await trust(users[index]!, trustedValue); // pushed
    }
    const kinds = [];
    for (const { userId } of users) kinds.push((await signIn(userId, trustedValue ?? ""))?.kind);
    expect(kinds).toEqual(["challenge", ...Array<string>(5).fill("session")]);
  });

  test("that has ended is forgotten, and only for its own user", async () => {
    const [first, second] = [await seedApp(deps), await seedApp(deps)];
    const both = await trust(second, await trust(first));
    await db.deleteFrom("trustedDevice").where("userId", "=", second.userId).execute();
    const refused = await signIn(second.userId, both);
    expect(refused?.kind).toBe("challenge");
    const remainingValue = keptAfter(refused)?.value ?? "";
    expect((await signIn(first.userId, remainingValue))?.kind).toBe("session");
    expect((await signIn(second.userId, remainingValue))?.kind).toBe("challenge");
    await db.deleteFrom("trustedDevice").where("userId", "=", first.userId).execute();
    expect(keptAfter(await signIn(first.userId, remainingValue))).toBeNull();
  });

  test("accepts a replaced value for 30 seconds, and leaves the cookie to its replacement", async () => {
    const seeded = await seedApp(deps);
    const former = await trust(seeded);
    const next = keptAfter(await signIn(seeded.userId, former))?.value ?? "";
    expect(next).not.toBe(former);
    clock.advance(29_999);
    const late = await signIn(seeded.userId, former);
    expect([late?.kind, keptAfter(late)]).toEqual(["session", undefined]);
    clock.advance(1);
    expect((await signIn(seeded.userId, former))?.kind).toBe("challenge");
    expect((await signIn(seeded.userId, next))?.kind).toBe("session");
  });

  test("in a cookie of an earlier release, which names no user, is used", async () => {
    const seeded = await seedApp(deps);
    const [, value = ""] = (await trust(seeded)).split(".");
    const signedIn = await signIn(seeded.userId, value);
    expect([signedIn?.kind, keptAfter(signedIn)?.value.split("~").length]).toEqual(["session", 1]);
  });
});

describe("mailed codes", () => {
  test("replace each other, expire, and fit only their own sign-in", async () => {
    const { userId } = await seedMailedCodes();
    const [first, second] = [await beginSignIn(deps, userId), await beginSignIn(deps, userId)];
    await sendTwoFactorCode(deps, callOf(first.caller, {}));
    clock.advance(1000);
    await sendTwoFactorCode(deps, callOf(first.caller, {}));
    const [old = "", present = ""] = await mailedCodes(db, userId);
    const verify = (caller: typeof first.caller, code: string) =>
      outcomeOf(verifyTwoFactorCode(deps, callOf(caller, { code })));
    expect(await verify(second.caller, present)).toBe("OTP_HAS_EXPIRED");
    if (old !== present) expect(await verify(first.caller, old)).toBe("INVALID_CODE");
    clock.advance(180_000);
    expect(await verify(first.caller, present)).toBe("OTP_HAS_EXPIRED");
  });

  test("are ten for one mailbox in ten minutes", async () => {
    const limited = depsWith({ rateLimit: { enabled: true } });
    const { userId } = await seedMailedCodes();
    const { caller } = await beginSignIn(deps, userId);
    for (let mail = 0; mail < 10; mail += 1) await sendTwoFactorCode(limited, callOf(caller, {}));
    await expect(sendTwoFactorCode(limited, callOf(caller, {}))).rejects.toMatchObject({
      status: 429,
      code: "TOO_MANY_REQUESTS",
    });
    expect(await mailedCodes(db, userId)).toHaveLength(10);
  });

  test("cannot be turned on by a user whose mailbox is the only way to sign in", async () => {
    const { userId, caller } = await seedPerson(deps);
    await db.deleteFrom("account").where("userId", "=", userId).execute();
    const enable = enableTwoFactor(deps, callOf(caller, { password: undefined, method: "otp" }));
    expect(await outcomeOf(enable)).toBe("OTP_NOT_CONFIGURED");
  });
});

test("checks run in their order", async () => {
  const noTotp = depsWith({ twoFactor: { totpOptions: { disable: true } } });
  const noOtp = depsWith({ twoFactor: { otpOptions: { enabled: false } } });
  const { caller } = await seedPerson(deps);
  const wrong = { password: "wrong horse", method: "totp" as const };
  const enable = (on: typeof deps, body: typeof wrong) =>
    outcomeOf(enableTwoFactor(on, callOf(caller, body)));
  expect(await enable(noTotp, wrong)).toBe("INVALID_PASSWORD");
  const right = { ...wrong, password: password };
  expect(await enable(noTotp, right)).toBe("TOTP_NOT_CONFIGURED");
  const missing = callOf(caller, { password: undefined, method: "totp" as const });
  expect(await outcomeOf(enableTwoFactor(deps, missing))).toBe("VALIDATION_ERROR");
  const nobody = callOf(newCaller(), { code: "" });
  expect(await outcomeOf(verifyTotp(noTotp, nobody))).toBe("TOTP_NOT_CONFIGURED");
  expect(await outcomeOf(sendTwoFactorCode(noOtp, callOf(newCaller(), {})))).toBe(
    "OTP_NOT_CONFIGURED",
  );
  expect(await outcomeOf(verifyTotp(deps, callOf(caller, { code: "" })))).toBe("TOTP_NOT_ENABLED");
  expect(await outcomeOf(verifyBackupCode(deps, callOf(caller, { code: "" })))).toBe(
    "BACKUP_CODES_NOT_ENABLED",
  );
  const none = verifyTwoFactorCode(deps, callOf(caller, { code: "" }));
  expect(await outcomeOf(none)).toBe("OTP_HAS_EXPIRED");
  const app = await seedApp(deps);
  const again = enableTwoFactor(deps, callOf(app.caller, right));
  expect(await outcomeOf(again)).toBe("TOTP_ALREADY_ENABLED");
  const guess = callOf(app.caller, { ...right, code: wrongCode(app.totpURI) });
  expect(await outcomeOf(enableTwoFactor(deps, guess))).toBe("INVALID_CODE");
});

/** Attack: a stranger registers an address and keeps a second factor on it. */
test("a claim takes the second factor of an unproven address away", async () => {
  const { userId } = await seedApp(deps);
  const { caller } = await beginSignIn(deps, userId);
  const account = { id: `kept-${userId}`, userId, providerId: "github", accountId: userId };
  const now = new Date(clock.now());
  await insertAccount(db, { ...account, createdAt: now, updatedAt: now });
  await db.transaction().execute(async (trx) => {
    await lockUser(trx, userId);
    await applyClaim(trx, deps, { userId, kept: account.id, caller });
  });
  expect((await findUser(deps, { id: userId }))?.twoFactorEnabled).toBe(false);
  expect(await findTwoFactor(db, userId)).toBeUndefined();
  expect(await countBackupCodes(db, userId)).toBe(0);
  const late = verifyTotp(deps, callOf(caller, { code: "000000" }));
  expect(await outcomeOf(late)).toBe("INVALID_TWO_FACTOR_COOKIE");
});

test("imported backup codes keep their case, and their dash is optional", async () => {
  const { userId } = await seedApp(deps);
  const code = "abCde-FGhij";
  const stored = storedBackupCode(deps.ring, userId, { code, isCaseSensitive: true });
  const row = { ...stored, id: `imported-${userId}`, userId, createdAt: new Date(clock.now()) };
  await insertBackupCodes(db, [row]);
  const verify = async (given: string) => {
    const { caller } = await beginSignIn(deps, userId);
    return outcomeOf(verifyBackupCode(deps, callOf(caller, { code: given })));
  };
  expect(await verify(code.toLowerCase())).toBe("INVALID_BACKUP_CODE");
  expect(await verify("abCdeFGhij")).toBe("right");
});

test("after a rotation 16 passes seal each value again once, so that the old secret can be left out", async () => {
  const { userId, totpURI, backupCodes } = await seedApp(deps);
  const rotated = { ...deps, ring: createSecretRing(["a new secret", testSecret]) };
  const count = async (isResealing: boolean): Promise<number> => {
    const counts = await passSealed({ db, service: "identity", ring: rotated.ring, isResealing });
    return counts
      .filter(({ place }) => ["two_factor", "backup_code"].includes(place.table))
      .reduce((sum, { earlier }) => sum + earlier, 0);
  };
  const stale = await count(false);
  expect(stale).toBeGreaterThanOrEqual(11);
  const resealed = await Promise.all(Array.from({ length: 16 }, () => count(true)));
  expect(resealed.reduce((sum, each) => sum + each, 0)).toBe(stale);
  expect(await count(false)).toBe(0);
  const later = { ...deps, ring: createSecretRing(["a new secret"]) };
  const byApp = await beginSignIn(later, userId);
  const code = codeAt(totpURI, 0);
  expect(await outcomeOf(verifyTotp(later, callOf(byApp.caller, { code })))).toBe("right");
  const byCode = await beginSignIn(later, userId);
  const backup = callOf(byCode.caller, { code: backupCodes[0] ?? "" });
  expect(await outcomeOf(verifyBackupCode(later, backup))).toBe("right");
});

test("a prepared app is dropped after an hour, with its backup codes", async () => {
  const { userId, caller } = await seedPerson(deps);
  const body = { password: password, method: "totp" as const };
  await enableTwoFactor(deps, callOf(caller, body));
  clock.advance(3_600_001);
  await sweepSecondFactors(deps);
  expect(await findTwoFactor(db, userId)).toMatchObject({ pendingSealed: null });
  const remaining = db.selectFrom("backupCode").select("id").where("userId", "=", userId);
  expect(await remaining.execute()).toEqual([]);
});
