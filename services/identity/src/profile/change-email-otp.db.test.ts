import { WireError } from "@latchkey/contracts";
import { createTestClock, expectNoLeaks } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import {
  createTestDeps,
  identityConfig,
  openIdentityDatabase,
  seedSession,
  seedUser,
} from "../db/test-identity.fixture.ts";
import { adminUpdateUser } from "../admin/update-user.ts";
import { readMails } from "../mailed-sign-in/read-mails.fixture.ts";
import { overrideUser } from "../social/resolve-social-user.ts";
import { findUser } from "../users/find-users.ts";
import type { UserRow } from "../users/user-row.ts";
import { changeEmailOtp, requestEmailChangeOtp } from "./update-user.ts";
import { callerOf, codesTo, mail, otherThan, signIn } from "../email-codes/email-codes.fixture.ts";

expectNoLeaks("file");

const clock = createTestClock();
const { db, connect } = await openIdentityDatabase();
const other = connect();

const createDeps = (own: object = {}, of = db) =>
  createTestDeps({
    config: identityConfig({ emailOTP: { changeEmail: { enabled: true, ...own } } }),
    db: of,
    clock: clock.now,
  });
type TestDeps = ReturnType<typeof createDeps>;
const deps = createDeps();

let count = 0;
const newAddress = () => `ada${(count += 1)}@example.com`;
const codeOf = (error: unknown) => (error instanceof WireError ? error.code : error);

/** Registers a user with a session. */
const register = async (given: Partial<UserRow> = { emailVerified: true }) => {
  const user = await seedUser(db, { email: newAddress(), ...given });
  const { session, token } = await seedSession(deps, user, { caller: callerOf(), remember: true });
  const caller = callerOf({ sessionToken: token });
  const rest = {
    caller,
    params: undefined,
    query: undefined,
    session: { session, user: deps.showUser(user) },
  };
  return {
    user,
    caller,
    request: (body: { newEmail: string; otp?: string }, of: TestDeps = deps) =>
      requestEmailChangeOtp(of, { ...rest, body }),
    change: (body: { newEmail: string; otp: string }, of: TestDeps = deps) =>
      changeEmailOtp(of, { ...rest, body }),
  };
};

/** Requests a code of the current address in the user's own session. */
const currentCode = async ({ user, caller }: Awaited<ReturnType<typeof register>>) =>
  (await mail(deps, user.email, { type: "email-verification", caller })).otp;

/** Requests both codes, and returns the one of the new address. */
const prepare = async (person: Awaited<ReturnType<typeof register>>, newEmail: string) => {
  await person.request({ newEmail, otp: await currentCode(person) });
  return (await codesTo(deps, newEmail)).at(-1) ?? "";
};

/** Attack: a thief of a session has requested a code before the address was changed by others. */
describe("a pending change of address by code", () => {
  const rest = { params: undefined, query: undefined, session: undefined };
  const changes: [string, (user: UserRow) => Promise<unknown>][] = [
    [
      "an admin",
      ({ id: userId }) => {
        const body = { userId, data: { email: newAddress() } };
        const call = { ...rest, body, caller: callerOf() };
        return adminUpdateUser(deps, call as unknown as Parameters<typeof adminUpdateUser>[1]); // a service
      },
    ],
    [
      "a provider",
      (user) => {
        const there = { id: user.id, email: newAddress(), emailVerified: true, mapped: {} };
        const members = { ...there, name: undefined, image: undefined };
        return overrideUser(deps, user, { user: members, caller: callerOf() });
      },
    ],
  ];

  test.each(changes)("ends when %s changes the address", async (_who, changeBy) => {
    const person = await register({ emailVerified: false });
    const newEmail = newAddress();
    await person.request({ newEmail });
    const otp = (await codesTo(deps, newEmail)).at(-1) ?? "";
    await changeBy(person.user);
    expect(await person.change({ newEmail, otp }).catch(codeOf)).toBe("INVALID_OTP");
  });
});

/** Attack: a user fills the count of an address by anonymous requests, to see whether a request for it counts there. */
test("the limit of requests is the caller's own, whether the new address is taken or not", async () => {
  const config = identityConfig({
    emailOTP: { enabled: true, changeEmail: { enabled: true } },
    rateLimit: { enabled: true },
  });
  const limited = createTestDeps({ config, db, clock: clock.now });
  const [free, takenEmail] = [newAddress(), (await register()).user.email];
  for (const newEmail of [free, takenEmail]) {
    for (let mails = 0; mails < 10; mails += 1) await mail(limited, newEmail);
    const person = await register({ emailVerified: false });
    for (let requests = 0; requests < 10; requests += 1)
      expect(await person.request({ newEmail }, limited)).toMatchObject({
        reply: { success: true },
      });
    expect(await person.request({ newEmail }, limited).catch(codeOf)).toBe("TOO_MANY_REQUESTS");
  }
  expect(await codesTo(limited, free)).toHaveLength(10);
});

describe("a change of address by code", () => {
  test("needs the codes of both addresses, and verifies the new one", async () => {
    const person = await register();
    const newEmail = newAddress();
    expect(await person.request({ newEmail }).catch(codeOf)).toBe(
      "OTP_IS_REQUIRED_TO_VERIFY_CURRENT_EMAIL",
    );
    expect(await person.request({ newEmail, otp: "none" }).catch(codeOf)).toBe("INVALID_OTP");
    const otp = await prepare(person, newEmail);
    const answer = await person.change({ newEmail, otp });
    expect(answer).toMatchObject({ reply: { success: true }, effect: { kind: "issue" } });
    expect(await findUser({ db }, { id: person.user.id })).toMatchObject({
      email: newEmail,
      emailVerified: true,
    });
    expect(await readMails(deps, "email.changed", person.user.email)).toMatchObject([{ newEmail }]);
  });

  test("of an unproven address needs no code of it, and mails it no link", async () => {
    const person = await register({});
    const newEmail = newAddress();
    await person.request({ newEmail });
    const [otp = ""] = await codesTo(deps, newEmail);
    await person.change({ newEmail, otp });
    expect(await findUser({ db }, { email: newEmail })).toMatchObject({ id: person.user.id });
    expect(await readMails(deps, "email.changed", person.user.email)).toEqual([]);
  });

  test("uses each code up once in 16 concurrent calls at two replicas", async () => {
    const person = await register();
    const newEmail = newAddress();
    const otp = await prepare(person, newEmail);
    const replicas = [deps, createDeps({}, other)] as const;
    const outcomes = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        person.change({ newEmail, otp }, replicas[index % 2]).catch(codeOf),
      ),
    );
    expect(outcomes.filter((one) => typeof one === "object")).toHaveLength(1);
  });

  test("fits only the new address and the user that it was requested for", async () => {
    const [person, stranger] = [await register(), await register()];
    const newEmail = newAddress();
    const otp = await prepare(person, newEmail);
    expect(await person.change({ newEmail: newAddress(), otp }).catch(codeOf)).toBe("INVALID_OTP");
    expect(await stranger.change({ newEmail, otp }).catch(codeOf)).toBe("INVALID_OTP");
    expect(await person.change({ newEmail, otp })).toHaveProperty("reply.success", true);
  });

  test("mails a taken address nothing, and does not reveal it", async () => {
    const [person, taker] = [await register(), await register()];
    const newEmail = taker.user.email;
    const otp = await currentCode(person);
    expect(await person.request({ newEmail, otp })).toHaveProperty("reply.success", true);
    expect(await codesTo(deps, newEmail)).toEqual([]);
    expect(await person.change({ newEmail, otp: "000000" }).catch(codeOf)).toBe("INVALID_OTP");
  });

  test("is refused if the address was taken meanwhile, and keeps its code", async () => {
    const person = await register();
    const newEmail = newAddress();
    const otp = await prepare(person, newEmail);
    const taker = await seedUser(db, { email: newEmail });
    expect(await person.change({ newEmail, otp }).catch(codeOf)).toBe("EMAIL_ALREADY_IN_USE");
    await db.deleteFrom("user").where("id", "=", taker.id).execute();
    expect(await person.change({ newEmail, otp })).toHaveProperty("reply.success", true);
  });

  test("ends the codes of the old address", async () => {
    const person = await register();
    const { email } = person.user;
    const newEmail = newAddress();
    const otp = await prepare(person, newEmail);
    const pending = await mail(deps, email);
    await person.change({ newEmail, otp });
    expect(await signIn(deps, { email, otp: pending.otp }, pending.own).catch(codeOf)).toBe(
      "INVALID_OTP",
    );
  });

  test("admits three wrong tries of a code", async () => {
    const person = await register();
    const newEmail = newAddress();
    const otp = await prepare(person, newEmail);
    const outcomes = [];
    for (let index = 0; index < 4; index += 1)
      outcomes.push(await person.change({ newEmail, otp: otherThan(otp) }).catch(codeOf));
    expect(outcomes).toEqual(["INVALID_OTP", "INVALID_OTP", "INVALID_OTP", "TOO_MANY_ATTEMPTS"]);
  });

  test.each([
    [{ enabled: false }, "b@example.com", "CHANGE_EMAIL_WITH_OTP_IS_DISABLED"],
    [{}, "no address", "INVALID_EMAIL"],
  ])("with %j to %s is refused with %s", async (own, newEmail, code) => {
    const person = await register();
    expect(await person.request({ newEmail }, createDeps(own)).catch(codeOf)).toBe(code);
    expect(await person.change({ newEmail, otp: "1" }, createDeps(own)).catch(codeOf)).toBe(code);
  });

  test("to the same address is refused", async () => {
    const person = await register();
    expect(await person.request({ newEmail: person.user.email }).catch(codeOf)).toBe(
      "EMAIL_IS_THE_SAME",
    );
  });
});
