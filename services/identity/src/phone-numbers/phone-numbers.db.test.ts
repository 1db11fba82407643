import { type Caller, type LatchkeyConfig, WireError } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { describe, expect, test, vi } from "vitest";
import { adminUpdateUser } from "../admin/update-user.ts";
import { applyClaim } from "../accounts/drop-accounts.ts";
import {
  identityConfig,
  openIdentityDatabase,
  seedSession,
  seedUser,
} from "../db/test-identity.fixture.ts";
import type { CallOf } from "../deps.ts";
import { signInAnonymous } from "../guests/guests.ts";
import { updateUser } from "../profile/update-user.ts";
import {
  callOf,
  clock,
  password,
  secondFactorDeps,
  seedApp,
  seedPerson,
} from "../second-factor/test-second-factor.fixture.ts";
import { findOwnSession } from "../sessions/resolve-session.ts";
import { findUser } from "../users/find-users.ts";
import {
  addNumber,
  browser,
  newNumber,
  phoneNumberOptions,
  text,
  textsTo,
  verify,
  withKept,
} from "./phone-numbers.fixture.ts";
import { findUserByNumber } from "./queries.ts";
import { requestPhonePasswordReset, resetPhonePassword } from "./reset-password.ts";
import { sendPhoneOtp, signInPhoneNumber } from "./sign-in.ts";

expectNoLeaks("file");

const { db, connect } = await openIdentityDatabase();
const other = connect();

type Options = LatchkeyConfig["phoneNumber"] & object;
const createDeps = (own: Options = {}, of = db) =>
  secondFactorDeps(identityConfig({ phoneNumber: { ...phoneNumberOptions, ...own } }), of);
type TestDeps = ReturnType<typeof createDeps>;
const deps = createDeps();
const signingUp = { signUpOnVerification: { enabled: true } };

const outcomeOf = (work: Promise<unknown>) =>
  work.catch((error: unknown) => (error instanceof WireError ? error.code : error));

/** Runs sixteen concurrent calls, spread over two replicas. */
const race = (work: (of: TestDeps, index: number) => Promise<unknown>, own: Options = {}) => {
  const replicas = [createDeps(own), createDeps(own, other)] as const;
  return Promise.all(
    Array.from({ length: 16 }, (_, index) =>
      outcomeOf(work(index % 2 === 0 ? replicas[0] : replicas[1], index)),
    ),
  );
};
const countOf = (outcomes: readonly unknown[], expected: string) =>
  outcomes.filter((one) => one === expected).length;
const doneOf = (outcomes: readonly unknown[]) =>
  outcomes.filter((one) => typeof one === "object" && !(one instanceof Error)).length;

/** Creates a user with a password, a proven number and a session. */
const seedHolder = async () => {
  const person = await seedPerson(deps);
  const phoneNumber = newNumber();
  await addNumber(deps, phoneNumber, person.caller);
  return { ...person, phoneNumber };
};
/** Creates a user who has just used a number. */
const seedNumber = async (user: Parameters<typeof seedUser>[1]) => {
  const { id } = await seedUser(db, user);
  const phoneNumberUsedAt = new Date(clock.now());
  await db.updateTable("user").set({ phoneNumberUsedAt }).where("id", "=", id).execute();
};
const otherThan = (code: string) => (code === "000000" ? "000001" : "000000");
const ownerOf = async (phoneNumber: string) => (await findUserByNumber(deps, phoneNumber))?.id;

describe("a number", () => {
  test.each([
    ["no number", "notanumber"],
    ["without the country", "0151 23456789"],
    ["of a landline", "+49 30 123456"],
    ["with a premium rate", "+1 900 555 1234"],
    ["of a satellite", "+881 6 1234 5678"],
    ["of a country that is not allowed", "+33 6 12 34 56 78"],
    ["with an extension", "+49 151 23456789;ext=5"],
  ])("is refused if it is %s", async (_case, phoneNumber) => {
    const outcome = await outcomeOf(sendPhoneOtp(deps, callOf(browser(), { phoneNumber })));
    expect(outcome).toBe("INVALID_PHONE_NUMBER");
  });

  test("is stored and compared in one form, however it is written", async () => {
    const { userId, caller } = await seedPerson(deps);
    await addNumber(deps, "+4915112345678", caller);
    const { code, own } = await text(deps, "+4915112345678");
    const signedIn = await verify(deps, { phoneNumber: "+49 (151) 1234-5678", code }, own);
    expect(signedIn).toMatchObject({
      reply: { status: true, user: { id: userId, phoneNumber: "+4915112345678" } },
      effect: { kind: "issue" },
    });
  });
});

describe("a code", () => {
  test("signs its user in once in 16 concurrent uses at two replicas", async () => {
    const { phoneNumber, userId } = await seedHolder();
    const { code, own } = await text(deps, phoneNumber);
    const outcomes = await race((of) => verify(of, { phoneNumber, code }, own));
    expect(doneOf(outcomes)).toBe(1);
    const sessions = db.selectFrom("session").select("methods").where("userId", "=", userId);
    expect((await sessions.execute()).map(({ methods }) => methods).toSorted()).toEqual([
      "password",
      "sms-otp",
    ]);
  });

  test("admits three of 16 concurrent wrong tries, told once", async () => {
    const { phoneNumber } = await seedHolder();
    const { code, own } = await text(deps, phoneNumber);
    const outcomes = await race((of) => verify(of, { phoneNumber, code: otherThan(code) }, own));
    expect([countOf(outcomes, "INVALID_OTP"), countOf(outcomes, "TOO_MANY_ATTEMPTS")]).toEqual([
      15, 1,
    ]);
    expect(await outcomeOf(verify(deps, { phoneNumber, code }, own))).toBe("INVALID_OTP");
  });

  test("expires, and is not the code of a password reset", async () => {
    const { phoneNumber } = await seedHolder();
    const late = await text(deps, phoneNumber);
    const reset = { phoneNumber, otp: late.code, newPassword: "another password" };
    expect(await outcomeOf(resetPhonePassword(deps, callOf(late.own, reset)))).toBe("INVALID_OTP");
    clock.advance(301_000);
    const attempt = verify(deps, { phoneNumber, code: late.code }, late.own);
    expect(await outcomeOf(attempt)).toBe("OTP_EXPIRED");
  });

  test("of an unknown number signs nobody up, unless an option allows it", async () => {
    const phoneNumber = newNumber();
    expect((await text(deps, phoneNumber)).code).toBe("");
    const open = createDeps(signingUp);
    const { code, own } = await text(open, phoneNumber);
    const outcomes = await race(
      (of) => verify(of, { phoneNumber, code, name: "Ada" }, own),
      signingUp,
    );
    expect(doneOf(outcomes)).toBe(1);
    expect(await findUserByNumber(deps, phoneNumber)).toMatchObject({
      name: "Ada",
      email: expect.stringMatching(/@phone-number\.invalid$/),
      emailVerified: false,
    });
  });

  /** Attack: a thief of the SIM card gets past the second factor. */
  test("asks for the second factor, and shows nothing of the user before", async () => {
    const { userId, caller } = await seedApp(deps);
    const phoneNumber = newNumber();
    await db
      .updateTable("user")
      .set({ phoneNumber, phoneNumberVerified: true, phoneNumberUsedAt: new Date(clock.now()) })
      .where("id", "=", userId)
      .execute();
    const first = await text(deps, phoneNumber);
    const attempt = { phoneNumber, code: first.code };
    const { reply, effect } = (await verify(deps, attempt, first.own)) as {
      reply: object;
      effect: object;
    };
    expect(reply).toEqual({
      status: true,
      token: null,
      user: null,
      twoFactorRedirect: true,
      twoFactorMethods: ["totp"],
    });
    expect(effect).toMatchObject({ kind: "clear" });
    const { code, own } = await text(deps, phoneNumber);
    expect(await verify(deps, { phoneNumber, code, disableSession: true }, own)).toEqual({
      reply: { status: true, token: null, user: null },
    });
    expect(caller.sessionToken).toBeDefined();
  });

  /** Attack: a carrier hands the number of an admin to somebody else. */
  test("neither signs a user with permissions in nor resets their password", async () => {
    const phoneNumber = newNumber();
    await seedNumber({ role: "admin", phoneNumber, phoneNumberVerified: true });
    expect((await text(deps, phoneNumber)).code).toBe("");
    await requestPhonePasswordReset(deps, callOf(browser(), { phoneNumber }));
    expect(await textsTo(deps, phoneNumber)).toEqual([]);
  });

  test("is not sent to a banned user, nor if the application's function objects", async () => {
    const phoneNumber = newNumber();
    await seedNumber({ phoneNumber, phoneNumberVerified: true, banned: true });
    expect((await text(deps, phoneNumber)).code).toBe("");
    const { phoneNumber: swapped } = await seedHolder();
    const allowsText = vi.fn(async () => false);
    expect((await text(createDeps({ allowsText }), swapped)).code).toBe("");
    expect(allowsText).toHaveBeenCalledWith({ phoneNumber: swapped });
    const failing = createDeps({ allowsText: () => Promise.reject(new Error("no carrier")) });
    expect((await text(failing, swapped)).code).toBe("");
  });
});

/** Attack: the answers reveal which numbers have users. */
test("known, unknown, banned and over-budget numbers are answered alike, also later", async () => {
  const { phoneNumber: proven } = await seedHolder();
  const banned = newNumber();
  await seedNumber({ phoneNumber: banned, phoneNumberVerified: true, banned: true });
  const answers = [];
  for (const phoneNumber of [proven, newNumber(), banned]) {
    const { answer, own } = await text(deps, phoneNumber);
    const attempt = verify(deps, { phoneNumber, code: "wrong" }, own);
    answers.push({ answer, outcome: await outcomeOf(attempt) });
  }
  const expected = { answer: { reply: { message: "code sent" } }, outcome: "INVALID_OTP" };
  expect(answers).toEqual([expected, expected, expected]);
});

describe("budgets", () => {
  const rule = (max: number) => ({ window: 3_600, max });
  const sentBy = async (
    own: Options,
    request: (of: TestDeps, index: number) => Promise<unknown>,
  ) => {
    const countTexts = () =>
      db
        .selectFrom("outbox")
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .where("name", "=", "phone-code.requested")
        .executeTakeFirstOrThrow();
    const before = (await countTexts()).count;
    const outcomes = await race(request, own);
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome)))).toEqual(
      new Set([JSON.stringify({ reply: { message: "code sent" } })]),
    );
    return (await countTexts()).count - before;
  };
  /** Returns how many messages were counted today, which is the highest count of all. */
  const countToday = async () => {
    const counts = db.selectFrom("mailedCodeGuess").select("count").orderBy("count", "desc");
    return (await counts.execute())[0]?.count ?? 0;
  };
  const send = async (of: TestDeps, phoneNumber: string, address: string) => {
    const { effect: _, ...answer } = await sendPhoneOtp(
      of,
      callOf(browser({ address }), { phoneNumber }),
    );
    return answer;
  };

  /** Attack: a client beyond its own budget closes the numbers of others, or the rest of a day, to them. */
  test("are not used up by messages that are not sent, and strangers leave a part of the day", async () => {
    const { phoneNumber } = await seedHolder();
    const address = "192.0.2.99";
    const own = { budgets: { ...phoneNumberOptions.budgets, number: rule(2), address: rule(1) } };
    const limited = createDeps(own);
    const count = async (work: (index: number) => Promise<unknown>) => {
      const before = (await textsTo(deps, phoneNumber)).length;
      for (const index of [0, 1, 2]) await work(index);
      return (await textsTo(deps, phoneNumber)).length - before;
    };
    expect(await count(() => send(limited, phoneNumber, address))).toBe(1);
    expect(await count((index) => send(limited, phoneNumber, `192.0.2.10${index}`))).toBe(1);
    const day = db.updateTable("mailedCodeGuess").where("count", "=", await countToday());
    await day.set({ count: 90 }).execute();
    const late = createDeps({ budgets: { ...phoneNumberOptions.budgets, dayMax: 100 } });
    expect(await count((index) => send(late, phoneNumber, `192.0.2.11${index}`))).toBe(0);
    const { caller } = await seedPerson(deps);
    expect(await count(() => sendPhoneOtp(late, callOf(caller, { phoneNumber })))).toBe(3);
  });

  /** Attack: somebody has messages sent to a number again and again, at the operator's cost. */
  test("send five of 16 concurrent codes to a number, and answer all alike", async () => {
    const { phoneNumber } = await seedHolder();
    const own = { budgets: { ...phoneNumberOptions.budgets, number: rule(5) } };
    const sent = await sentBy(own, (of, index) => send(of, phoneNumber, `192.0.2.${index}`));
    expect(sent).toBe(5);
  });

  test("count a client address, an IPv6 network as one", async () => {
    const holders = await Promise.all(Array.from({ length: 16 }, seedHolder));
    const own = { budgets: { ...phoneNumberOptions.budgets, address: rule(6) } };
    const numberOf = (index: number) => holders[index]?.phoneNumber ?? "";
    const sent = await sentBy(own, (of, index) => send(of, numberOf(index), `2001:db8::${index}`));
    expect(sent).toBe(6);
  });

  /** Attack: a budget that only sent messages use up tells a client which of two numbers is known. */
  test("of a client address count requests for unknown numbers as those for known ones", async () => {
    const { phoneNumber } = await seedHolder();
    const limited = createDeps({ budgets: { ...phoneNumberOptions.budgets, address: rule(2) } });
    const address = "192.0.2.201";
    for (const unknown of [newNumber(), newNumber()]) await send(limited, unknown, address);
    const before = (await textsTo(deps, phoneNumber)).length;
    await send(limited, phoneNumber, address);
    expect(await textsTo(deps, phoneNumber)).toHaveLength(before);
  });

  /** Attack: one account has messages sent to any number, from many addresses, until the day is used up. */
  test("of a user in a session count any number and address", async () => {
    const { caller } = await seedPerson(deps);
    const limited = createDeps({ budgets: { ...phoneNumberOptions.budgets, number: rule(3) } });
    const numbers = Array.from({ length: 5 }, newNumber);
    for (const [index, phoneNumber] of numbers.entries())
      await sendPhoneOtp(
        limited,
        callOf({ ...caller, address: `192.0.2.${index}` }, { phoneNumber }),
      );
    const sent = await Promise.all(numbers.map((phoneNumber) => textsTo(deps, phoneNumber)));
    expect(sent.flat()).toHaveLength(3);
  });

  test("count a country and a day, whichever numbers and addresses", async () => {
    const holders = await Promise.all(Array.from({ length: 16 }, seedHolder));
    const numberOf = (index: number) => holders[index]?.phoneNumber ?? "";
    // Strangers leave a tenth to users in a session.
    const dayMax = Math.floor(((await countToday()) + 7) / 0.9);
    const own = { budgets: { ...phoneNumberOptions.budgets, dayMax } };
    const sent = await sentBy(own, (of, index) => send(of, numberOf(index), `192.0.2.${index}`));
    expect(sent).toBe(7);
    const abroad = {
      allowedCountries: ["US"],
      budgets: { ...phoneNumberOptions.budgets, country: rule(4) },
      ...signingUp,
    };
    const ofCountry = await sentBy(abroad, (of, index) =>
      send(of, `+120255501${String(index).padStart(2, "0")}`, `192.0.2.${index}`),
    );
    expect(ofCountry).toBe(4);
  });
});

describe("wrong codes", () => {
  const guesses = (max: number) => ({ allowedAttempts: 10, guesses: { window: 86_400, max } });
  const wrong = (phoneNumber: string) => ({ phoneNumber, code: "wrong" });
  /** Has strangers use up the wrong codes for a number. */
  const close = async (of: TestDeps, phoneNumber: string) => {
    const { own } = await text(of, phoneNumber);
    const tries = Array.from({ length: 10 }, () => verify(of, wrong(phoneNumber), own));
    await Promise.all(tries.map(outcomeOf));
    expect(await outcomeOf(verify(of, wrong(phoneNumber), own))).toBe("TOO_MANY_ATTEMPTS");
  };

  /** Attack: strangers close a number to the user who adds it or has it, for a day. */
  test("of strangers close a number to no user in a session", async () => {
    const limited = createDeps(guesses(3));
    const { caller, userId } = await seedPerson(deps);
    const phoneNumber = newNumber();
    await close(limited, phoneNumber);
    await addNumber(limited, phoneNumber, caller);
    expect(await ownerOf(phoneNumber)).toBe(userId);
    await close(limited, phoneNumber);
    expect((await text(limited, phoneNumber)).code).toBe("");
    const again = await text(limited, phoneNumber, caller);
    const signedIn = await verify(limited, { phoneNumber, code: again.code }, again.own);
    expect(signedIn).toMatchObject({ effect: { kind: "issue" } });
  });

  test("of a user in a session are limited, in 16 concurrent tries at two replicas", async () => {
    const own = guesses(5);
    const limited = createDeps(own);
    const { caller } = await seedPerson(deps);
    const phoneNumber = newNumber();
    const sent = await text(limited, phoneNumber, caller);
    const attempt = { phoneNumber, code: otherThan(sent.code), updatePhoneNumber: true };
    const outcomes = await race((of) => verify(of, attempt, sent.own), own);
    expect([countOf(outcomes, "INVALID_OTP"), countOf(outcomes, "TOO_MANY_ATTEMPTS")]).toEqual([
      5, 11,
    ]);
    expect((await text(limited, phoneNumber, caller)).code).toBe("");
    const other = await seedPerson(deps);
    await addNumber(limited, phoneNumber, other.caller);
    expect(await ownerOf(phoneNumber)).toBe(other.userId);
  });

  /** Attack: tries in the sessions of many accounts find the code, which then signs in as the user who has the number. */
  test("are no way round: a right code in a session for the number of another user is used up", async () => {
    const { phoneNumber } = await seedHolder();
    const { caller } = await seedPerson(deps);
    const { code, own } = await text(deps, phoneNumber, caller);
    const attempt = verify(deps, { phoneNumber, code, updatePhoneNumber: true }, own);
    expect(await outcomeOf(attempt)).toBe("PHONE_NUMBER_EXIST");
    expect(await outcomeOf(verify(deps, { phoneNumber, code }, own))).toBe("INVALID_OTP");
  });

  test("that refuse a message leave it in the budget of the number", async () => {
    const number = { window: 3_600, max: 2 };
    const limited = createDeps({
      ...guesses(3),
      budgets: { ...phoneNumberOptions.budgets, number },
    });
    const { phoneNumber } = await seedHolder();
    await close(limited, phoneNumber);
    for (const _ of [1, 2]) expect((await text(limited, phoneNumber)).code).toBe("");
    clock.advance(86_400_000);
    expect((await text(limited, phoneNumber)).code).not.toBe("");
    expect((await text(limited, phoneNumber)).code).toBe("");
  });
});

describe("a guest", () => {
  const guestDeps = secondFactorDeps(
    identityConfig({
      anonymous: { enabled: true },
      phoneNumber: { ...phoneNumberOptions, ...signingUp },
    }),
    db,
  );
  const newGuest = async () => {
    const answer = await signInAnonymous(guestDeps, callOf(browser(), undefined));
    if (!("reply" in answer)) throw new Error("there is no guest");
    const { token, user } = answer.reply;
    return { id: user.id, caller: browser({ sessionToken: token }) };
  };

  test("who signs up by a number keeps its id, once in 16 concurrent uses of the code", async () => {
    const { id, caller } = await newGuest();
    const phoneNumber = newNumber();
    const { code, own } = await text(guestDeps, phoneNumber, caller);
    const outcomes = await Promise.all(
      Array.from({ length: 16 }, () =>
        outcomeOf(verify(guestDeps, { phoneNumber, code, name: "Ada" }, own)),
      ),
    );
    expect(doneOf(outcomes)).toBe(1);
    expect(await findUserByNumber(deps, phoneNumber)).toMatchObject({
      id,
      name: "Ada",
      isAnonymous: false,
    });
    expect(await findOwnSession(guestDeps, caller)).toBeUndefined();
  });

  test("is handed over to the user who signs in by a number", async () => {
    const { phoneNumber, userId } = await seedHolder();
    const { id, caller } = await newGuest();
    const { code, own } = await text(guestDeps, phoneNumber, caller);
    await verify(guestDeps, { phoneNumber, code }, own);
    const linked = db.selectFrom("audit").select("after").where("action", "=", "user.guest-linked");
    const entries = await linked.where("subjectId", "=", userId).execute();
    expect(entries).toMatchObject([{ after: { guestId: id } }]);
  });

  /** Attack: guests cost nothing, so a stranger uses them for the budgets of users and to take numbers. */
  test("takes no number, and counts as a stranger", async () => {
    const phoneNumber = newNumber();
    await seedNumber({ phoneNumber, phoneNumberVerified: true, banned: true });
    const { caller } = await newGuest();
    const { code, own } = await text(guestDeps, phoneNumber, caller);
    expect(code).toBe("");
    const attempt = { phoneNumber, code: "123456", updatePhoneNumber: true };
    expect(await outcomeOf(verify(guestDeps, attempt, own))).toBe("FORBIDDEN");
  });
});

test("a browser without room for another user registers nobody, and keeps the code", async () => {
  const severalDeps = secondFactorDeps(
    identityConfig({
      multiSession: { enabled: true, maximumSessions: 2 },
      phoneNumber: { ...phoneNumberOptions, ...signingUp },
    }),
    db,
  );
  const people = [await seedPerson(deps), await seedPerson(deps)];
  const deviceSessions = people.map(({ caller: { sessionToken: token } }, slot) => ({
    slot,
    token,
    browserSession: false,
  }));
  const phoneNumber = newNumber();
  // Of a browser without sessions, because users in one may prove any number.
  const { code, own } = await text(severalDeps, phoneNumber);
  const full = { ...own, deviceSessions };
  const attempt = { phoneNumber, code };
  expect(await outcomeOf(verify(severalDeps, attempt, full))).toBe("TOO_MANY_SESSIONS");
  expect(await ownerOf(phoneNumber)).toBeUndefined();
  const room = { ...own, deviceSessions: [] };
  expect(await verify(severalDeps, attempt, room)).toMatchObject({
    effect: { kind: "issue", deviceSessions: [{ slot: 0 }] },
  });
});

test("a code and a password with a number are the way phone-number of the last sign-in", async () => {
  const noticing = secondFactorDeps(
    identityConfig({ lastLoginMethod: { enabled: true }, phoneNumber: phoneNumberOptions }),
    db,
  );
  const { phoneNumber } = await seedHolder();
  const { code, own } = await text(noticing, phoneNumber);
  const byCode = verify(
    noticing,
    { phoneNumber, code },
    { ...own, operation: "verifyPhoneNumber" },
  );
  const byPassword = signInPhoneNumber(
    noticing,
    callOf(browser({ operation: "signInPhoneNumber" }), { phoneNumber, password }),
  );
  for (const answer of await Promise.all([byCode, byPassword]))
    expect(answer).toMatchObject({ effect: { signedInBy: "phone-number" } });
});

describe("taking a number", () => {
  test("gives it to one of 16 users who prove it at once", async () => {
    const phoneNumber = newNumber();
    const people = await Promise.all(Array.from({ length: 16 }, () => seedPerson(deps)));
    const prepared: Awaited<ReturnType<typeof text>>[] = [];
    for (const { caller } of people) prepared.push(await text(deps, phoneNumber, caller));
    const outcomes = await race((of, index) => {
      const { code = "", own = browser() } = prepared[index] ?? {};
      return verify(of, { phoneNumber, code, updatePhoneNumber: true }, own);
    });
    expect([doneOf(outcomes), countOf(outcomes, "PHONE_NUMBER_EXIST")]).toEqual([1, 15]);
    const named = db.selectFrom("user").select("id").where("phoneNumber", "=", phoneNumber);
    expect(await named.execute()).toHaveLength(1);
  });

  /** Attack: somebody who gets hold of a number takes it away from its user. */
  test("does not take it from a user who has used it lately, and does after 90 days", async () => {
    const { phoneNumber, userId } = await seedHolder();
    const taker = await seedPerson(deps);
    expect(await outcomeOf(addNumber(deps, phoneNumber, taker.caller))).toBe("PHONE_NUMBER_EXIST");
    expect(await ownerOf(phoneNumber)).toBe(userId);
    await db
      .updateTable("user")
      .set({ phoneNumberUsedAt: new Date(clock.now() - 91 * 86_400_000) })
      .where("id", "=", userId)
      .execute();
    const { code, own } = await text(deps, phoneNumber, taker.caller);
    await verify(deps, { phoneNumber, code, updatePhoneNumber: true }, own);
    expect(await ownerOf(phoneNumber)).toBe(taker.userId);
    expect(await findUser(deps, { id: userId })).toMatchObject({
      phoneNumber: null,
      phoneNumberVerified: false,
    });
    const mailed = db
      .selectFrom("outbox")
      .select("data")
      .where("name", "=", "phone-number.changed");
    const changes = (await mailed.execute()).map(({ data }) => JSON.parse(data) as object);
    expect(changes).toContainEqual(expect.objectContaining({ userId, change: "moved" }));
  });

  /** Attack: a carrier has given an unused number to somebody else, who signs in to the account of its former holder. */
  test("that was not used for 90 days signs its new holder up, and resets no password", async () => {
    const { phoneNumber, userId } = await seedHolder();
    await db
      .updateTable("user")
      .set({ phoneNumberUsedAt: new Date(clock.now() - 91 * 86_400_000) })
      .where("id", "=", userId)
      .execute();
    const sentBefore = (await textsTo(deps, phoneNumber)).length;
    await requestPhonePasswordReset(deps, callOf(browser(), { phoneNumber }));
    expect(await textsTo(deps, phoneNumber)).toHaveLength(sentBefore);
    const openDeps = secondFactorDeps(
      identityConfig({ phoneNumber: { ...phoneNumberOptions, ...signingUp } }),
      db,
    );
    const { code, own } = await text(openDeps, phoneNumber);
    await verify(openDeps, { phoneNumber, code, name: "New holder" }, own);
    const owner = await ownerOf(phoneNumber);
    expect(owner).toBeDefined();
    expect(owner).not.toBe(userId);
  });

  /** Attack: a stranger registers somebody's number, so that its owner signs in to the stranger's account. */
  test("takes one that its user has not proven, which signs nobody in", async () => {
    const phoneNumber = newNumber();
    const squatter = await seedUser(db, { phoneNumber });
    expect((await text(deps, phoneNumber)).code).toBe("");
    const { caller, userId } = await seedPerson(deps);
    await addNumber(deps, phoneNumber, caller);
    expect(await ownerOf(phoneNumber)).toBe(userId);
    expect((await findUser(deps, squatter))?.phoneNumber).toBeNull();
  });

  test("needs a session of one's own, and a strong one", async () => {
    const phoneNumber = newNumber();
    const attempt = { phoneNumber, code: "123456", updatePhoneNumber: true };
    expect(await outcomeOf(verify(deps, attempt))).toBe("UNAUTHORIZED");
    const { userId, caller } = await seedPerson(deps);
    await db
      .updateTable("session")
      .set({ authenticatedAt: new Date(clock.now() - 86_400_000 * 2) })
      .where("userId", "=", userId)
      .execute();
    expect(await outcomeOf(verify(deps, attempt, caller))).toBe("SESSION_IS_NOT_FRESH");
    const admin = await seedUser(db, { role: "admin" });
    const user = await seedUser(db);
    const { token } = await seedSession(deps, user, {
      caller: browser(),
      remember: true,
      impersonation: { adminId: admin.id, seconds: 600 },
    });
    const impersonator = browser({ sessionToken: token });
    expect(await outcomeOf(verify(deps, attempt, impersonator))).toBe("FORBIDDEN");
  });

  test("ends sign-ins that wait for a second factor", async () => {
    const { userId, caller } = await seedPerson(deps);
    const createdAt = new Date(clock.now());
    await db
      .insertInto("signInChallenge")
      .values({
        tokenHash: Buffer.from("a waiting sign-in"),
        userId,
        purpose: "verify",
        method: "password",
        remember: true,
        createdAt,
        expiresAt: new Date(clock.now() + 60_000),
      })
      .execute();
    await addNumber(deps, newNumber(), caller);
    const waiting = db.selectFrom("signInChallenge").selectAll().where("userId", "=", userId);
    expect(await waiting.execute()).toEqual([]);
  });
});

describe("removing a number", () => {
  const update = async (caller: Caller, body: CallOf<"updateUser">["body"]) => {
    const session = await findOwnSession(deps, caller);
    if (!session) throw new Error("there is no session");
    return updateUser(deps, { ...callOf(caller, body), session });
  };

  test("frees it at once for another user, and only null is taken", async () => {
    const { caller, phoneNumber } = await seedHolder();
    expect(await outcomeOf(update(caller, { phoneNumber: newNumber() }))).toBe(
      "PHONE_NUMBER_CANNOT_BE_UPDATED",
    );
    await update(caller, { phoneNumber: null });
    const taker = await seedPerson(deps);
    await addNumber(deps, phoneNumber, taker.caller);
    expect(await ownerOf(phoneNumber)).toBe(taker.userId);
  });

  test("is refused if it is the last way in", async () => {
    const phoneNumber = newNumber();
    const open = createDeps(signingUp);
    const { code, own } = await text(open, phoneNumber);
    const { effect } = (await verify(open, { phoneNumber, code }, own)) as {
      effect: { token: string };
    };
    const caller = browser({ sessionToken: effect.token });
    expect(await outcomeOf(update(caller, { phoneNumber: null }))).toBe(
      "YOU_CANT_REMOVE_YOUR_LAST_WAY_IN",
    );
    expect(await ownerOf(phoneNumber)).toBeDefined();
  });

  /** Attack: a stranger registers an address, adds a number, and signs in with it once the owner has proven the address. */
  test("is part of a claim by the owner of the address", async () => {
    const { userId, phoneNumber } = await seedHolder();
    await db.transaction().execute((trx) => applyClaim(trx, deps, { userId, caller: browser() }));
    expect(await ownerOf(phoneNumber)).toBeUndefined();
    const claimed = db
      .selectFrom("audit")
      .select("after")
      .where("action", "=", "user.claimed")
      .where("subjectId", "=", userId);
    expect(await claimed.execute()).toMatchObject([
      { after: { ended: expect.arrayContaining(["phoneNumber"]) } },
    ]);
  });
});

describe("number and password", () => {
  const signIn = (phoneNumber: string, given = password, caller = browser()) =>
    signInPhoneNumber(deps, callOf(caller, { phoneNumber, password: given }));

  test("sign a user in, and refuse wrong and unknown ones alike", async () => {
    const { phoneNumber } = await seedHolder();
    expect(await signIn(phoneNumber)).toMatchObject({ effect: { kind: "issue" } });
    const refused = [signIn(phoneNumber, "wrong password"), signIn(newNumber())];
    expect(await Promise.all(refused.map(outcomeOf))).toEqual([
      "INVALID_PHONE_NUMBER_OR_PASSWORD",
      "INVALID_PHONE_NUMBER_OR_PASSWORD",
    ]);
  });

  test("send a code to an unproven number, which this browser alone can prove", async () => {
    const { userId } = await seedPerson(deps);
    const phoneNumber = newNumber();
    await db.updateTable("user").set({ phoneNumber }).where("id", "=", userId).execute();
    const caller = browser();
    const refusal: unknown = await signIn(phoneNumber, password, caller).catch(
      (error: unknown) => error,
    );
    if (!(refusal instanceof WireError)) throw new Error("the sign-in was not refused");
    expect(refusal.code).toBe("PHONE_NUMBER_NOT_VERIFIED");
    const code = (await textsTo(deps, phoneNumber)).at(-1)?.code ?? "";
    expect(await outcomeOf(verify(deps, { phoneNumber, code }))).toBe("INVALID_OTP");
    const own = withKept(caller, refusal.effect);
    expect(await verify(deps, { phoneNumber, code }, own)).toMatchObject({
      reply: { user: { id: userId, phoneNumberVerified: true } },
      effect: { kind: "issue" },
    });
  });
});

describe("a password reset", () => {
  test("sets the password once, signs nobody in, and leaves the second factor on", async () => {
    const { userId } = await seedApp(deps);
    const phoneNumber = newNumber();
    await db
      .updateTable("user")
      .set({ phoneNumber, phoneNumberVerified: true, phoneNumberUsedAt: new Date(clock.now()) })
      .where("id", "=", userId)
      .execute();
    const caller = browser();
    const { effect } = await requestPhonePasswordReset(deps, callOf(caller, { phoneNumber }));
    const otp = (await textsTo(deps, phoneNumber)).at(-1)?.code ?? "";
    const body = { phoneNumber, otp, newPassword: "a new password" };
    const own = withKept(caller, effect);
    const outcomes = await race((of) => resetPhonePassword(of, callOf(own, body)));
    expect(doneOf(outcomes)).toBe(1);
    expect((await findUser(deps, { id: userId }))?.twoFactorEnabled).toBe(true);
    const signIn = callOf(browser(), { phoneNumber, password: "a new password" });
    expect(await signInPhoneNumber(deps, signIn)).toMatchObject({
      reply: { twoFactorRedirect: true },
    });
  });
});

describe("a leaked password", () => {
  const leakedDeps = {
    ...secondFactorDeps(
      identityConfig({
        emailAndPassword: { compromisedPasswordsAtSignIn: "change" },
        phoneNumber: phoneNumberOptions,
      }),
      db,
    ),
    compromisedPasswords: { includes: async () => true, close: async () => {} },
  };

  test("is refused by a reset, which keeps the code, and must be changed at a sign-in", async () => {
    const { phoneNumber } = await seedHolder();
    const caller = browser();
    const { effect } = await requestPhonePasswordReset(deps, callOf(caller, { phoneNumber }));
    const otp = (await textsTo(deps, phoneNumber)).at(-1)?.code ?? "";
    const reset = callOf(withKept(caller, effect), { phoneNumber, otp, newPassword: "password1" });
    expect(await outcomeOf(resetPhonePassword(leakedDeps, reset))).toBe("PASSWORD_COMPROMISED");
    const signIn = signInPhoneNumber(leakedDeps, callOf(browser(), { phoneNumber, password }));
    expect(await outcomeOf(signIn)).toBe("PASSWORD_CHANGE_REQUIRED");
    expect(await resetPhonePassword(deps, reset)).toEqual({ reply: { status: true } });
  });
});

test("an admin sets a number that is unproven, and it ends what the former one began", async () => {
  const { userId, phoneNumber } = await seedHolder();
  const admin = await seedUser(db, { role: "admin" });
  const { token } = await seedSession(deps, admin, { caller: browser(), remember: true });
  const caller = browser({ sessionToken: token });
  const session = await findOwnSession(deps, caller);
  if (!session) throw new Error("there is no session");
  const wanted = newNumber();
  const body = { userId, data: { phoneNumber: wanted } };
  const { reply } = (await adminUpdateUser(deps, { ...callOf(caller, body), session })) as {
    reply: object;
  };
  const mailed = db.selectFrom("outbox").select("data").where("name", "=", "phone-number.changed");
  const changes = (await mailed.execute()).map(({ data }) => JSON.parse(data) as object);
  expect(changes).toContainEqual(expect.objectContaining({ userId, change: "removed" }));
  expect(reply).toMatchObject({ phoneNumber: wanted, phoneNumberVerified: false });
  expect(await ownerOf(phoneNumber)).toBeUndefined();
  expect((await text(deps, wanted)).code).toBe("");
});
