import { hashToken } from "@latchkey/crypto";
import { expectNoLeaks, newCaller, until } from "@latchkey/testkit";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { identityConfig, openIdentityDatabase } from "../db/test-identity.fixture.ts";
import { replacePassword } from "../passwords/replace-password.ts";
import { finishSignIn } from "../sign-in/finish-sign-in.ts";
import { findUser } from "../users/find-users.ts";
import { countBackupCodes } from "./backup-codes.ts";
import { takeChallengeTry } from "../rows/challenges.ts";
import { findTwoFactor, lockTwoFactor } from "../rows/second-factors.ts";
import {
  sendTwoFactorCode,
  verifyBackupCode,
  verifyTotp,
  verifyTwoFactorCode,
} from "./verify-codes.ts";
import {
  beginSignIn,
  callOf,
  clock,
  codeAt,
  mailedCodes,
  outcomeOf,
  secondFactorDeps,
  seedApp,
  seedPerson,
  type TestDeps,
  wrongCode,
} from "./test-second-factor.fixture.ts";

expectNoLeaks("file");

const callers = 16;
const { db, connect } = await openIdentityDatabase();
const other = connect();
const config = identityConfig({
  twoFactor: { otpOptions: { besideTotp: true }, accountLockout: { maxFailedAttempts: 100 } },
});
const replicas = [secondFactorDeps(config, db), secondFactorDeps(config, other)] as const;
const [deps] = replicas;

/** The refusals of losers. A deadlock is none of them. */
const refusals = new Set([
  "INVALID_CODE",
  "INVALID_TWO_FACTOR_COOKIE",
  "OTP_HAS_EXPIRED",
  "TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE",
  "UNAUTHORIZED",
]);

/** Runs sixteen concurrent calls, spread over two replicas. */
const race = <T>(
  work: (on: TestDeps, index: number) => Promise<T>,
  count = callers,
): Promise<T[]> =>
  Promise.all(
    Array.from({ length: count }, (_, index) => work(replicas[index % 2 === 0 ? 0 : 1], index)),
  );
const countOf = (outcomes: readonly string[], wanted: string) =>
  outcomes.filter((outcome) => outcome === wanted).length;
const sessionCount = async (userId: string) =>
  (await deps.sessions.list(userId, new Date(clock.now()), 100)).length;

describe("of sixteen concurrent calls over two replicas", () => {
  test("one passes a waiting sign-in, whatever code it brings", async () => {
    const { userId, backupCodes } = await seedApp(deps);
    const before = await sessionCount(userId);
    const { caller } = await beginSignIn(deps, userId);
    const outcomes = await race((on, index) =>
      outcomeOf(verifyBackupCode(on, callOf(caller, { code: backupCodes[index % 5] ?? "" }))),
    );
    expect(countOf(outcomes, "right")).toBe(1);
    expect(await sessionCount(userId)).toBe(before + 1);
    expect(await countBackupCodes(db, userId)).toBe(9);
  });

  test("one passes by a code of an app, in sixteen sign-ins", async () => {
    const { userId, totpURI } = await seedApp(deps);
    const waiting = await Promise.all(
      Array.from({ length: callers }, () => beginSignIn(deps, userId)),
    );
    const code = codeAt(totpURI, 0);
    const outcomes = await race((on, index) =>
      outcomeOf(verifyTotp(on, callOf(waiting[index]!.caller, { code }))),
    );
    expect(outcomes.toSorted()).toEqual([
      ...Array<string>(callers - 1).fill("INVALID_CODE"),
      "right",
    ]);
  });

  test("one passes by a mailed code", async () => {
    const { userId } = await seedApp(deps);
    const { caller } = await beginSignIn(deps, userId);
    await sendTwoFactorCode(deps, callOf(caller, {}));
    const [code = ""] = await mailedCodes(db, userId);
    const before = await sessionCount(userId);
    const outcomes = await race((on) =>
      outcomeOf(verifyTwoFactorCode(on, callOf(caller, { code }))),
    );
    expect(countOf(outcomes, "right")).toBe(1);
    expect(outcomes.filter((outcome) => !refusals.has(outcome))).toEqual(["right"]);
    expect(await sessionCount(userId)).toBe(before + 1);
  });

  test("one passes by a backup code, and different codes do not disturb each other", async () => {
    const { userId, backupCodes } = await seedApp(deps);
    const waiting = await Promise.all(
      Array.from({ length: callers }, () => beginSignIn(deps, userId)),
    );
    const same = await race((on, index) =>
      outcomeOf(
        verifyBackupCode(on, callOf(waiting[index]!.caller, { code: backupCodes[0] ?? "" })),
      ),
    );
    expect(countOf(same, "right")).toBe(1);
    expect(countOf(same, "INVALID_BACKUP_CODE")).toBe(callers - 1);
    const more = await Promise.all(backupCodes.slice(1).map(() => beginSignIn(deps, userId)));
    const different = await race(
      (on, index) =>
        outcomeOf(
          verifyBackupCode(on, callOf(more[index]!.caller, { code: backupCodes[index + 1] ?? "" })),
        ),
      more.length,
    );
    expect(countOf(different, "right")).toBe(more.length);
    expect(await countBackupCodes(db, userId)).toBe(0);
  });

  test("all use the trust in a browser, and one replaces its value", async () => {
    const { userId, backupCodes } = await seedApp(deps);
    const { caller } = await beginSignIn(deps, userId);
    const body = { code: backupCodes[0] ?? "", trustDevice: true };
    const { effect } = await verifyBackupCode(deps, callOf(caller, body));
    const trustedDevice =
      effect && "keeps" in effect ? (effect.keeps?.trustedDevice?.value ?? "") : "";
    const user = (await findUser(deps, { id: userId }))!; // seeded
    const browser = { ...newCaller(), kept: { trustedDevice } };
    const outcomes = await race((on) =>
      finishSignIn(on, { user, method: "password", caller: browser, remember: true }),
    );
    expect(outcomes.map((outcome) => outcome?.kind)).toEqual(
      Array<string>(callers).fill("session"),
    );
    const replaced = outcomes.flatMap((outcome) =>
      outcome && "keeps" in outcome.effect ? (outcome.effect.keeps?.trustedDevice ?? []) : [],
    );
    expect(replaced).toHaveLength(1);
  });

  test("one turns codes by mail on", async () => {
    const { userId, caller } = await seedPerson(deps);
    await sendTwoFactorCode(deps, callOf(caller, {}));
    const [code = ""] = await mailedCodes(db, userId);
    const outcomes = await race((on) =>
      outcomeOf(verifyTwoFactorCode(on, callOf(caller, { code }))),
    );
    expect(countOf(outcomes, "right")).toBe(1);
    expect(outcomes.filter((outcome) => !refusals.has(outcome))).toEqual(["right"]);
    expect((await findUser(deps, { id: userId }))?.twoFactorEnabled).toBe(true);
    expect(await sessionCount(userId)).toBe(1);
  });
});

describe("of thirty concurrent guesses over two replicas", () => {
  test("five are looked at in one sign-in, which then ends", async () => {
    const { userId, totpURI } = await seedApp(deps);
    const { caller } = await beginSignIn(deps, userId);
    const code = wrongCode(totpURI);
    const outcomes = await race((on) => outcomeOf(verifyTotp(on, callOf(caller, { code }))), 30);
    expect(countOf(outcomes, "INVALID_CODE")).toBe(5);
    expect(countOf(outcomes, "TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE")).toBe(1);
    expect(countOf(outcomes, "INVALID_TWO_FACTOR_COOKIE")).toBe(24);
    const right = verifyTotp(deps, callOf(caller, { code: codeAt(totpURI, 0) }));
    expect(await outcomeOf(right)).toBe("INVALID_TWO_FACTOR_COOKIE");
  });

  test("five are looked at for one mailed code, and a new code works", async () => {
    const { userId } = await seedApp(deps);
    const { caller } = await beginSignIn(deps, userId);
    await sendTwoFactorCode(deps, callOf(caller, {}));
    const outcomes = await race(
      (on) => outcomeOf(verifyTwoFactorCode(on, callOf(caller, { code: "" }))),
      30,
    );
    expect(countOf(outcomes, "INVALID_CODE")).toBe(5);
    expect(countOf(outcomes, "TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE")).toBe(1);
    expect(countOf(outcomes, "OTP_HAS_EXPIRED")).toBe(24);
    await sendTwoFactorCode(deps, callOf(caller, {}));
    const code = (await mailedCodes(db, userId)).at(-1) ?? "";
    expect(await outcomeOf(verifyTwoFactorCode(deps, callOf(caller, { code })))).toBe("right");
  });

  test("ten are looked at of one user in all, by whatever sign-in, session and kind of code", async () => {
    const strict = identityConfig({ twoFactor: { otpOptions: { besideTotp: true } } });
    const pair = [secondFactorDeps(strict, db), secondFactorDeps(strict, other)] as const;
    const { userId, totpURI, caller: inSession } = await seedApp(deps);
    const waiting = await Promise.all([1, 2, 3].map(() => beginSignIn(deps, userId)));
    const code = wrongCode(totpURI);
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, index) => {
        const on = pair[index % 2 === 0 ? 0 : 1];
        const caller = [...waiting.map((one) => one.caller), inSession][index % 4]!;
        const call = callOf(caller, { code });
        return outcomeOf(index % 3 === 0 ? verifyBackupCode(on, call) : verifyTotp(on, call));
      }),
    );
    const wrong = new Set(["INVALID_CODE", "INVALID_BACKUP_CODE"]);
    expect(outcomes.filter((outcome) => wrong.has(outcome))).toHaveLength(10);
    const [first] = pair;
    const right = verifyTotp(first, callOf(inSession, { code: codeAt(totpURI, 0) }));
    await expect(right).rejects.toMatchObject({
      code: "ACCOUNT_TEMPORARILY_LOCKED",
      retryAfterSeconds: 900,
    });
    const send = sendTwoFactorCode(first, callOf(inSession, {}));
    expect(await outcomeOf(send)).toBe("ACCOUNT_TEMPORARILY_LOCKED");
    const locks = await db
      .selectFrom("audit")
      .select("action")
      .where("subjectId", "=", userId)
      .where("action", "=", "two-factor.locked")
      .execute();
    expect(locks).toHaveLength(1);
    clock.advance(900_000);
    const later = verifyTotp(first, callOf(inSession, { code: codeAt(totpURI, 0) }));
    expect(await outcomeOf(later)).toBe("right");
    expect(await findTwoFactor(db, userId)).toMatchObject({ failedCount: 0, lockedUntil: null });
  });
});

/** Guesses lock the row of the user before the sign-in. A reset that locks in another order would deadlock with them. */
test("a guess and a reset of the password wait for each other without a deadlock", async () => {
  const { userId } = await seedApp(deps);
  const { caller } = await beginSignIn(deps, userId);
  const tokenHash = hashToken(caller.kept.twoFactor);
  const countWaiting = async () => {
    const { rows } = await sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      db,
    );
    return rows.length;
  };
  let reset: Promise<string> | undefined;
  const isTaken = await db.transaction().execute(async (trx) => {
    await lockTwoFactor(trx, userId);
    reset = outcomeOf(
      replacePassword(replicas[1], {
        userId,
        passwordHash: "another hash",
        ends: "all",
        byMail: true,
        action: "password.reset",
        actor: { kind: "user", id: userId },
        caller: newCaller(),
      }),
    );
    await until(async () => (await countWaiting()) > 0);
    return takeChallengeTry(trx, tokenHash);
  });
  expect(isTaken).toBe(true);
  expect(await reset).toBe("right");
});
