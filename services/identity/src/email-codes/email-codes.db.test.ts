import { WireError } from "@latchkey/contracts";
import { hashToken } from "@latchkey/crypto";
import { createTestClock, expectNoLeaks } from "@latchkey/testkit";
import pg from "pg";
import { describe, expect, test, vi } from "vitest";
import {
  createTestDeps,
  identityConfig,
  openIdentityDatabase,
  seedSession,
  seedUser,
} from "../db/test-identity.fixture.ts";
import { findPassword } from "../access/check-password.ts";
import { findUser } from "../users/find-users.ts";
import { passwordAccount, proposeUser, registerUser } from "../accounts/register-user.ts";
import { createVerificationOtp } from "../mailed-sign-in/verification-codes.ts";
import {
  callerOf,
  check,
  codesTo,
  mail,
  otherThan,
  send,
  signIn,
  verify,
} from "./email-codes.fixture.ts";
import { readMails } from "../mailed-sign-in/read-mails.fixture.ts";
import { resetPasswordOtp } from "../mailed-sign-in/email-codes.ts";
import { sweepCodes } from "../sweeps.ts";

expectNoLeaks("file");

const clock = createTestClock();
const { db, connect } = await openIdentityDatabase();
const other = connect();

type Settings = Parameters<typeof identityConfig>[0];
const createDeps = (own: Settings = {}, of = db) =>
  createTestDeps({ config: identityConfig(own), db: of, clock: clock.now });
type TestDeps = ReturnType<typeof createDeps>;
const deps = createDeps();

let count = 0;
const newAddress = () => `ada${(count += 1)}@example.com`;
const codeOf = (error: unknown) => (error instanceof WireError ? error.code : error);

/** Runs sixteen concurrent calls, spread over two replicas. */
const race = (work: (of: TestDeps, index: number) => Promise<unknown>) => {
  const replicas = [deps, createDeps({}, other)] as const;
  return Promise.all(
    Array.from({ length: 16 }, (_, index) =>
      work(index % 2 === 0 ? replicas[0] : replicas[1], index).catch(codeOf),
    ),
  );
};

const tally = (outcomes: unknown[]) => ({
  done: outcomes.filter((one) => typeof one === "object").length,
  invalid: outcomes.filter((one) => one === "INVALID_OTP").length,
  tooMany: outcomes.filter((one) => one === "TOO_MANY_ATTEMPTS").length,
});

const sessionsOf = async (email: string): Promise<number> => {
  const user = await findUser({ db }, { email });
  const rows = db
    .selectFrom("session")
    .select("id")
    .where("userId", "=", user?.id ?? "");
  return (await rows.execute()).length;
};

const guessesOf = async (): Promise<number[]> =>
  (await db.selectFrom("mailedCodeGuess").select("count").execute()).map((row) => row.count);

/** Registers a user as a stranger could: with an unproven address, a password and a session. */
const registerStranger = async (email: string) => {
  const account = passwordAccount("the stranger's hash");
  const user = await proposeUser(deps, { name: "M", email, image: null, extra: {} });
  const registered = await registerUser(deps, { user, account, caller: callerOf() });
  const session = await seedSession(deps, registered!, { caller: callerOf(), remember: true });
  return { user: registered!, session };
};

describe("a code", () => {
  test.each([
    ["of a verified user", true],
    ["of an unproven user", false],
    ["of an unknown address", undefined],
  ])("%s signs in once in 16 concurrent uses at two replicas", async (_, emailVerified) => {
    const email = newAddress();
    if (emailVerified !== undefined) await seedUser(db, { email, emailVerified });
    const { otp, own } = await mail(deps, email);
    const outcomes = await race((of) => signIn(of, { email, otp }, own));
    expect(tally(outcomes).done).toBe(1);
    expect(await sessionsOf(email)).toBe(1);
    await expect(signIn(deps, { email, otp }, own)).rejects.toThrow("Invalid OTP");
  });

  test.each([true, false])(
    "admits three of 16 concurrent wrong tries, told once (in its browser: %s)",
    async (isOwn) => {
      const email = newAddress();
      const { otp, own } = await mail(deps, email);
      const caller = isOwn ? own : callerOf();
      const wrong = { email, otp: otherThan(otp) };
      const outcomes = await race((of) => signIn(of, wrong, caller));
      expect(tally(outcomes)).toEqual({ done: 0, invalid: 15, tooMany: 1 });
      await expect(signIn(deps, { email, otp }, caller)).rejects.toThrow("Invalid OTP");
    },
  );

  /** A stranger burns tries, and requests codes, to lock the owner out. */
  test("survives the tries and the requests of other browsers", async () => {
    const email = newAddress();
    const { otp, own } = await mail(deps, email);
    const foreign = callerOf({ kept: { emailOtp: "a stranger's browser" } });
    for (let index = 0; index < 5; index += 1)
      await signIn(deps, { email, otp: otherThan(otp) }, foreign).catch(codeOf);
    await send(deps, email, { caller: foreign });
    expect(await signIn(deps, { email, otp }, own)).toMatchObject({ effect: { kind: "issue" } });
  });

  /** Attack: a stranger enters wrong codes for an address until its user gets no codes any more. */
  test("is not ended by wrong codes that were entered while there was none", async () => {
    const email = newAddress();
    await seedUser(db, { email });
    await race((of) => signIn(of, { email, otp: "000000" }));
    await race((of) => signIn(of, { email, otp: "000000" }));
    const { otp, own } = await mail(deps, email);
    expect(await signIn(deps, { email, otp }, own)).toMatchObject({ effect: { kind: "issue" } });
  });

  test("of the own address in a session is not ended by the wrong codes of strangers", async () => {
    const email = newAddress();
    const { session } = await registerStranger(email);
    const strict = createDeps({ emailOTP: { guesses: { max: 2 } } });
    const type = "email-verification";
    const { otp: first } = await mail(strict, email, { type });
    for (let index = 0; index < 3; index += 1)
      await verify(strict, { email, otp: otherThan(first) }).catch(codeOf);
    const inSession = callerOf({ sessionToken: session.token });
    const { otp, own } = await mail(strict, email, { type, caller: inSession });
    expect(otp).not.toBe(first);
    expect(await verify(strict, { email, otp: otherThan(otp) }, own).catch(codeOf)).toBe(
      "INVALID_OTP",
    );
    expect(await verify(strict, { email, otp }, own)).toHaveProperty("reply.status", true);
  });

  test("is replaced by the next one of the same browser, with new tries", async () => {
    const email = newAddress();
    const { otp: first, own } = await mail(deps, email);
    await signIn(deps, { email, otp: otherThan(first) }, own).catch(codeOf);
    const { otp: second } = await mail(deps, email, { caller: own });
    if (first !== second)
      expect(await signIn(deps, { email, otp: first }, own).catch(codeOf)).toBe("INVALID_OTP");
    expect(await signIn(deps, { email, otp: second }, own)).toHaveProperty("reply.token");
  });

  test("works in another browser, unless the options require its own", async () => {
    const email = newAddress();
    const { otp, own } = await mail(deps, email);
    const required = createDeps({ emailOTP: { sameBrowser: "require" } });
    await expect(signIn(required, { email, otp })).rejects.toThrow("Invalid OTP");
    expect(await signIn(required, { email, otp }, own)).toHaveProperty("reply.token");
    const { otp: next } = await mail(deps, email);
    expect(await signIn(deps, { email, otp: next })).toHaveProperty("reply.token");
  });

  test("of a purpose fits no other purpose", async () => {
    const email = newAddress();
    await seedUser(db, { email });
    const { otp, own } = await mail(deps, email, { type: "email-verification" });
    expect(await signIn(deps, { email, otp }, own).catch(codeOf)).toBe("INVALID_OTP");
    expect(await verify(deps, { email, otp }, own)).toMatchObject({ reply: { status: true } });
  });

  test("that has expired is told once, and then is unknown", async () => {
    const email = newAddress();
    const { otp, own } = await mail(deps, email);
    clock.advance(deps.config.emailOTP.expiresIn * 1000);
    const outcomes = [];
    for (let index = 0; index < 3; index += 1)
      outcomes.push(await signIn(deps, { email, otp }, own).catch(codeOf));
    expect(outcomes).toEqual(["OTP_EXPIRED", "INVALID_OTP", "INVALID_OTP"]);
  });

  test("is in no row in clear text, nor is its address or browser", async () => {
    const email = newAddress();
    const { otp, own } = await mail(deps, email);
    const rows = JSON.stringify(await db.selectFrom("mailedCode").selectAll().execute());
    for (const secret of [`"${otp}"`, email, own.kept?.emailOtp ?? ""])
      expect(rows).not.toContain(secret);
  });

  test("of a service works in every browser", async () => {
    const email = newAddress();
    const { reply } = (await createVerificationOtp(deps, {
      params: undefined,
      query: undefined,
      session: undefined,
      body: { email, type: "sign-in" },
      caller: callerOf({ service: "shop" }),
    })) as { reply: { otp: string } };
    const required = createDeps({ emailOTP: { sameBrowser: "require" } });
    expect(await signIn(required, { email, otp: reply.otp })).toHaveProperty("reply.token");
  });
});

describe("wrong codes for an address and a purpose", () => {
  test("are exactly twenty in 24 hours, over codes, browsers and replicas", async () => {
    const email = newAddress();
    await seedUser(db, { email, emailVerified: true });
    const guess = async (of: TestDeps) => {
      const { otp, own } = await mail(of, email);
      const wrong = { email, otp: otherThan(otp) };
      return signIn(of, wrong, own).catch(codeOf);
    };
    const first = await race(guess);
    const second = await race(guess);
    expect(tally([...first, ...second])).toEqual({ done: 0, invalid: 20, tooMany: 12 });
    const { otp, own } = await mail(deps, email);
    expect(await signIn(deps, { email, otp }, own).catch(codeOf)).toBe("TOO_MANY_ATTEMPTS");
    clock.advance(86_400_000);
    await db.deleteFrom("outbox").execute(); // concurrent mails are in no order
    const fresh = await mail(deps, email);
    expect(await signIn(deps, { email, otp: fresh.otp }, fresh.own)).toHaveProperty("reply.token");
  });

  test("end the mails of this purpose alone", async () => {
    const email = newAddress();
    await seedUser(db, { email });
    const strict = createDeps({ emailOTP: { guesses: { max: 2 } } });
    await send(strict, email);
    for (let index = 0; index < 2; index += 1)
      await signIn(strict, { email, otp: "wrong" }).catch(codeOf);
    await send(strict, email);
    expect(await codesTo(strict, email)).toHaveLength(1);
    await send(strict, email, { type: "email-verification" });
    expect(await codesTo(strict, email)).toHaveLength(2);
  });

  test("do not count a right code, nor one that could not be compared", async () => {
    await db.deleteFrom("mailedCodeGuess").execute();
    const email = newAddress();
    const { otp, own } = await mail(deps, email);
    await signIn(deps, { email, otp }, own);
    expect(await guessesOf()).toEqual([0]);
    await mail(deps, email, { caller: own });
    clock.advance(deps.config.emailOTP.expiresIn * 1000);
    await signIn(deps, { email, otp }, own).catch(codeOf);
    expect(await guessesOf()).toEqual([0]);
  });
});

describe("a request for a code", () => {
  const kinds = {
    known: { emailVerified: true },
    unverified: {},
    banned: { banned: true, emailVerified: true },
    unknown: undefined,
  };
  const attempts = async (of: TestDeps, email: string, type: "sign-in" | "forget-password") => {
    const { answer, own } = await send(of, email, { type });
    const outcomes: unknown[] = [answer];
    const tries = async (times: number) => {
      for (let index = 0; index < times; index += 1)
        outcomes.push(await check(of, { email, otp: "no code", type }, own).catch(codeOf));
    };
    await tries(5);
    outcomes.push((await send(of, email, { type, caller: own })).answer);
    await tries(1);
    clock.advance(of.config.emailOTP.expiresIn * 1000);
    await tries(2);
    return outcomes;
  };

  /** Neither the reply nor what follows may reveal who is known. */
  test.each(["sign-in", "forget-password"] as const)(
    "and wrong attempts for %s are answered alike for all addresses",
    async (type) => {
      const own = createDeps({ emailOTP: { disableSignUp: true } });
      for (const kind of Object.values(kinds)) {
        const email = newAddress();
        if (kind) await seedUser(db, { email, ...kind });
        expect(await attempts(own, email, type)).toEqual([
          { reply: { success: true } },
          "INVALID_OTP",
          "INVALID_OTP",
          "INVALID_OTP",
          "TOO_MANY_ATTEMPTS",
          "INVALID_OTP",
          { reply: { success: true } },
          "INVALID_OTP",
          "OTP_EXPIRED",
          "INVALID_OTP",
        ]);
      }
    },
  );

  test.each([
    ["sign-in", [1, 1, 0, 0]],
    ["forget-password", [1, 1, 0, 0]],
    ["email-verification", [0, 1, 0, 0]],
  ] as const)("for %s is mailed to the right ones", async (type, expected) => {
    const own = createDeps({ emailOTP: { disableSignUp: true } });
    const mailed = [];
    for (const kind of Object.values(kinds)) {
      const email = newAddress();
      if (kind) await seedUser(db, { email, ...kind });
      await send(own, email, { type });
      mailed.push((await codesTo(own, email)).length);
    }
    expect(mailed).toEqual(expected);
  });

  test("is mailed to the verified address of the caller's own session", async () => {
    const user = await seedUser(db, { email: newAddress(), emailVerified: true });
    const { token } = await seedSession(deps, user, { caller: callerOf(), remember: true });
    const caller = callerOf({ sessionToken: token });
    await send(deps, user.email, { type: "email-verification", caller });
    expect(await codesTo(deps, user.email)).toHaveLength(1);
  });

  test("mails at most ten codes to a mailbox in 600 seconds, over two replicas", async () => {
    const limited = { rateLimit: { enabled: true } };
    const replicas = [createDeps(limited), createDeps(limited, other)] as const;
    const email = newAddress();
    await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        send(index % 2 === 0 ? replicas[0] : replicas[1], email),
      ),
    );
    expect(await codesTo(deps, email)).toHaveLength(10);
  });

  test.each([
    ["no address", "sign-in", "INVALID_EMAIL"],
    ["a@b.invalid", "sign-in", "INVALID_EMAIL"],
    ["a@example.com", "change-email", "INVALID_OTP_TYPE"],
  ] as const)("for %s and %s is refused with %s", async (email, type, code) => {
    expect(await send(deps, email, { type }).catch(codeOf)).toBe(code);
  });
});

describe("a sign-in by code", () => {
  const fields = {
    user: {
      additionalFields: {
        plan: { type: "string" as const },
        level: { type: "number" as const, required: false, input: false },
        tier: {
          type: "string" as const,
          required: false,
          input: false,
          defaultValue: "free",
        },
      },
    },
  };

  test.each([
    [{ plan: 7 }, "VALIDATION_ERROR"],
    [{ plan: "a", level: 7 }, "FIELD_NOT_ALLOWED"],
    [{ plan: "a", username: "a b" }, "USERNAME_IS_TOO_SHORT"],
    [{}, "FIELD_IS_REQUIRED"],
  ] as const)("with %j is refused and keeps its code", async (members, expected) => {
    const strictDeps = createDeps({ ...fields, username: { minUsernameLength: 5 } });
    const email = newAddress();
    const { otp, own } = await mail(deps, email);
    expect(await signIn(strictDeps, { email, otp, ...members }, own).catch(codeOf)).toBe(expected);
    const good = { email, otp, plan: "a", tier: "gold", unknown: 1 };
    expect(await signIn(strictDeps, good, own)).toMatchObject({
      reply: { user: { email, plan: "a", tier: "free", name: "", emailVerified: true } },
    });
  });

  test("asks a known user for no field", async () => {
    const email = newAddress();
    await seedUser(db, { email, emailVerified: true });
    const { otp, own } = await mail(deps, email);
    expect(await signIn(createDeps(fields), { email, otp }, own)).toHaveProperty("reply.token");
  });

  test("of a banned user is refused", async () => {
    const email = newAddress();
    const user = await seedUser(db, { email, emailVerified: true });
    const { otp, own } = await mail(deps, email);
    await db.updateTable("user").set({ banned: true }).where("id", "=", user.id).execute();
    expect(await signIn(deps, { email, otp }, own).catch(codeOf)).toBe("BANNED_USER");
    expect(await sessionsOf(email)).toBe(0);
  });

  test("records its method, and ends with the browser that has the marker", async () => {
    const email = newAddress();
    const { otp, own } = await mail(deps, email);
    const answer = await signIn(deps, { email, otp }, { ...own, browserSession: true });
    expect(answer.effect).toMatchObject({ kind: "issue", maxAgeSeconds: null });
    const { methods } = await db
      .selectFrom("session")
      .innerJoin("user", "user.id", "session.userId")
      .select("session.methods")
      .where("email", "=", email)
      .executeTakeFirstOrThrow();
    expect(methods).toBe("email-otp");
  });

  test("claims an unproven user: the stranger's password and session end", async () => {
    const email = newAddress();
    const { user, session } = await registerStranger(email);
    const { otp, own } = await mail(deps, email);
    await signIn(deps, { email, otp }, own);
    expect(await findPassword({ db }, user.id)).toBeUndefined();
    expect(await deps.sessions.find(hashToken(session.token))).toBeUndefined();
    expect(await findUser({ db }, { email })).toMatchObject({ emailVerified: true });
  });
});

describe("a verification by code", () => {
  test("in a session of the user only proves the address", async () => {
    const email = newAddress();
    const { user, session } = await registerStranger(email);
    const { otp } = await mail(deps, email, { type: "email-verification" });
    const caller = callerOf({ sessionToken: session.token });
    const answer = await verify(deps, { email, otp }, caller);
    expect(answer).toMatchObject({
      reply: { status: true, token: null },
      effect: { kind: "issue" },
    });
    expect(await findPassword({ db }, user.id)).toBe("the stranger's hash");
    expect(await deps.sessions.find(hashToken(session.token))).toBeDefined();
  });

  /** A stranger registers somebody's address. The owner types the code of the mail elsewhere. */
  test("elsewhere claims the user", async () => {
    const email = newAddress();
    const { user, session } = await registerStranger(email);
    const { otp, own } = await mail(deps, email, { type: "email-verification" });
    expect(await verify(deps, { email, otp }, own)).toMatchObject({ reply: { token: null } });
    expect(await findPassword({ db }, user.id)).toBeUndefined();
    expect(await deps.sessions.find(hashToken(session.token))).toBeUndefined();
    const [mailed] = await readMails(deps, "account.claimed", email);
    expect(mailed).toMatchObject({ userId: user.id, ended: ["password"] });
    const [, token = ""] = /\/reset-password\/(\w+)\?/.exec(mailed?.url ?? "") ?? [];
    expect(token).not.toBe("");
  });

  test("signs in once in 16 concurrent uses at two replicas, if that is on", async () => {
    const own = { emailVerification: { autoSignInAfterVerification: true } };
    const replicas = [createDeps(own), createDeps(own, other)] as const;
    const email = newAddress();
    await seedUser(db, { email });
    const { otp, own: caller } = await mail(deps, email, { type: "email-verification" });
    const outcomes = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        verify(index % 2 === 0 ? replicas[0] : replicas[1], { email, otp }, caller).catch(codeOf),
      ),
    );
    expect(tally(outcomes).done).toBe(1);
    expect(await sessionsOf(email)).toBe(1);
  });
});

test("a check names the sign-in methods that a code deletes, unless the address is proven", async () => {
  const email = newAddress();
  const account = passwordAccount("a hash");
  const user = await proposeUser(deps, { name: "M", email, image: null, extra: {} });
  await registerUser(deps, { user, account, caller: callerOf() });
  const { otp, own } = await mail(deps, email);
  expect(await check(deps, { email, otp }, own)).toEqual({
    reply: { success: true, ends: ["password"] },
  });
  await db.updateTable("user").set({ emailVerified: true }).where("id", "=", user.id).execute();
  expect(await check(deps, { email, otp }, own)).toEqual({ reply: { success: true } });
});

test("a check of a verification names what it deletes, unless a holder of the password enters it", async () => {
  const email = newAddress();
  const { session } = await registerStranger(email);
  const type = "email-verification";
  const { otp, own } = await mail(deps, email, { type });
  expect(await check(deps, { email, otp, type }, own)).toEqual({
    reply: { success: true, ends: ["password"] },
  });
  const inSession = callerOf({ sessionToken: session.token });
  expect(await check(deps, { email, otp, type }, inSession)).toEqual({ reply: { success: true } });
});

test("a check of a reset names what it deletes beside the password", async () => {
  const email = newAddress();
  const { user } = await registerStranger(email);
  const type = "forget-password";
  const { otp, own } = await mail(deps, email, { type });
  expect(await check(deps, { email, otp, type }, own)).toEqual({ reply: { success: true } });
  await db.insertInto("twoFactor").values({ userId: user.id, enabledAt: new Date() }).execute();
  expect(await check(deps, { email, otp, type }, own)).toEqual({
    reply: { success: true, ends: ["secondFactor"] },
  });
});

test("a check keeps a right code and counts wrong ones exactly", async () => {
  const email = newAddress();
  await seedUser(db, { email, emailVerified: true });
  const { otp, own } = await mail(deps, email);
  for (let index = 0; index < 5; index += 1)
    expect(await check(deps, { email, otp }, own)).toEqual({ reply: { success: true } });
  const wrong = { email, otp: otherThan(otp) };
  const outcomes = await race((of) => check(of, wrong, own));
  expect(tally(outcomes)).toEqual({ done: 0, invalid: 15, tooMany: 1 });
});

describe("a password reset by code", () => {
  const passwords = {
    hash: async (password: string) => `hash of ${password}`,
    verify: async () => true,
    upgrade: async () => undefined,
    isUpgrade: () => false,
  };
  const reset = (
    of: TestDeps,
    body: { email: string; otp: string; password: string },
    caller = callerOf(),
  ) =>
    resetPasswordOtp(
      { ...of, passwords },
      { body, caller, params: undefined, query: undefined, session: undefined },
    );
  const password = "a new password";

  test("sets the password once in 16 concurrent uses and proves the address", async () => {
    const email = newAddress();
    const { user, session } = await registerStranger(email);
    const { otp, own } = await mail(deps, email, { type: "forget-password" });
    const outcomes = await race((of) => reset(of, { email, otp, password }, own));
    expect(tally(outcomes).done).toBe(1);
    expect(await findPassword({ db }, user.id)).toBe("hash of a new password");
    expect(await findUser({ db }, { email })).toMatchObject({ emailVerified: true });
    expect(await deps.sessions.find(hashToken(session.token))).toBeUndefined();
  });

  test("keeps the sessions of a proven user, unless the options end them", async () => {
    const email = newAddress();
    const { session, user } = await registerStranger(email);
    await db.updateTable("user").set({ emailVerified: true }).where("id", "=", user.id).execute();
    const { otp, own } = await mail(deps, email, { type: "forget-password" });
    await reset(deps, { email, otp, password }, own);
    expect(await deps.sessions.find(hashToken(session.token))).toBeDefined();
    const ending = createDeps({ emailAndPassword: { revokeSessionsOnPasswordReset: true } });
    const next = await mail(deps, email, { type: "forget-password" });
    await reset(ending, { email, otp: next.otp, password }, next.own);
    expect(await deps.sessions.find(hashToken(session.token))).toBeUndefined();
  });

  test("checks the password before it looks at the code", async () => {
    const email = newAddress();
    await seedUser(db, { email });
    const { otp, own } = await mail(deps, email, { type: "forget-password" });
    const short = { email, otp, password: "short" };
    for (let index = 0; index < 5; index += 1)
      expect(await reset(deps, short, own).catch(codeOf)).toBe("PASSWORD_TOO_SHORT");
    expect(await reset(deps, { email, otp, password }, own)).toEqual({ reply: { success: true } });
  });

  test("is refused while resets are off, as are the mails for it", async () => {
    const off = createDeps({ emailAndPassword: { resetPassword: { enabled: false } } });
    const email = newAddress();
    expect(await send(off, email, { type: "forget-password" }).catch(codeOf)).toBe(
      "RESET_PASSWORD_ISNT_ENABLED",
    );
    expect(await reset(off, { email, otp: "1", password }).catch(codeOf)).toBe(
      "RESET_PASSWORD_ISNT_ENABLED",
    );
  });
});

test("the sweep deletes expired codes an hour later, and passed counts", async () => {
  await mail(deps, newAddress());
  clock.advance(deps.config.emailOTP.expiresIn * 1000 + 3_600_001);
  const live = newAddress();
  await mail(deps, live);
  await sweepCodes(deps);
  expect(await db.selectFrom("mailedCode").select("id").execute()).toHaveLength(1);
  clock.advance(86_400_001);
  await sweepCodes(deps);
  expect(await guessesOf()).toEqual([]);
});

/** Attack: a stranger measures the time of an answer, to learn whether an address is known. */
test.each(["sign-in", "email-verification", "forget-password"] as const)(
  "a request of a code for %s runs the same number of statements for known and unknown addresses",
  async (type) => {
    const counted = createDeps({ emailOTP: { disableSignUp: true } });
    const countFor = async (email: string) => {
      using statements = vi.spyOn(pg.Client.prototype, "query");
      await send(counted, email, { type });
      return statements.mock.calls.length;
    };
    const user = await seedUser(db, { email: newAddress() });
    const knownCount = await countFor(user.email);
    expect(knownCount).toBeGreaterThan(3);
    expect(await countFor(newAddress())).toBe(knownCount);
  },
);
