import { type OperationReply, operations, type Wire } from "@latchkey/contracts";
import { expectNoLeaks, until } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { byUser } from "../harness/audit.ts";
import { createBrowserLike } from "../harness/browser-like.ts";
import { callOperation, serviceConfig } from "../harness/operations.ts";
import { errorResponse } from "../harness/responses.ts";
import { beginChallenge, enableApp } from "../harness/second-factor.ts";
import { useSystem } from "../harness/use-system.ts";
import {
  callAdmin,
  newEmail,
  signUp,
  signUpAs,
  type TestUser,
  trySignIn,
} from "../harness/users.ts";
import { verifyAddress } from "../harness/rows.ts";

expectNoLeaks("file");

const { identity } = operations;
type State = Wire<OperationReply<typeof identity.adminReadSignInState>>;
type Refused = Wire<OperationReply<typeof identity.adminListRefusedSignIns>>;

const { system, rows, admin } = useSystem({
  stores: "postgres",
  config: {
    ...serviceConfig,
    emailAndPassword: { requireEmailVerification: false },
    emailVerification: { sendOnSignUp: false },
    emailOTP: { enabled: true },
    rateLimit: {
      enabled: true,
      linkMails: { window: 3600, max: 2 },
      customRules: { "/**": false },
    },
    twoFactor: { otpOptions: { enabled: false }, accountLockout: { maxFailedAttempts: 5 } },
    admin: {
      roles: {
        admin: {
          user: ["list", "ban", "update", "secure"],
          session: ["list"],
          audit: ["list"],
        },
        viewer: { user: ["list"] },
        user: {},
      },
    },
  },
});

const readState = async ({ user }: Pick<TestUser, "user">, by: TestUser = admin): Promise<State> =>
  (await callOperation<State>(by, identity.adminReadSignInState, { params: { id: user.id } })).body;

const problemOf = async (person: Pick<TestUser, "user">, kind: string) =>
  (await readState(person)).problems.find((problem) => problem.kind === kind);

const verified = async () => {
  const person = await signUp(system);
  await verifyAddress(rows, person.user.id);
  return person;
};

const listRefused = async (userId?: string) =>
  (
    await callOperation<Refused>(admin, identity.adminListRefusedSignIns, {
      query: userId === undefined ? {} : { userId },
    })
  ).body.refusedSignIns;

describe("the state of a user's sign-in", () => {
  test("has no problem if nothing is wrong, and shows the last sign-in", async () => {
    const person = await verified();
    await trySignIn(system, person.email);
    const state = await readState(person);
    expect(state).toMatchObject({ canSignIn: true, problems: [] });
    expect(state.lastSignIn).toMatchObject({ methods: ["password"] });
    expect(state.lastSignIn?.ipAddress).not.toBeNull();
  });

  test("shows a ban with its end and its reason", async () => {
    const person = await verified();
    const banReason = "Sends spam";
    await callAdmin(admin, "/ban-user", { userId: person.user.id, banReason, banExpiresIn: 3600 });
    const state = await readState(person);
    expect(state).toMatchObject({
      canSignIn: false,
      problems: [{ kind: "banned", blocks: true, reason: banReason, until: expect.any(String) }],
    });
    expect((await trySignIn(system, person.email)).status).toBe(403);
    await until(async () => (await problemOf(person, "refused")) !== undefined);
    expect(await problemOf(person, "refused")).toMatchObject({ reason: "banned", count: 1 });
  });

  test("shows an address that is not verified", async () => {
    expect(await problemOf(await signUp(system), "address-not-verified")).toEqual({
      kind: "address-not-verified",
      blocks: false,
      canResend: true,
    });
  });

  test("counts wrong passwords since the last sign-in, with the address", async () => {
    const person = await verified();
    for (const wrong of ["one wrong password", "another wrong one"])
      await trySignIn(system, person.email, { password: wrong });
    await until(async () => (await problemOf(person, "refused")) !== undefined);
    await until(async () => {
      const problem = await problemOf(person, "refused");
      return problem?.kind === "refused" && problem.count === 2;
    });
    expect(await problemOf(person, "refused")).toMatchObject({
      reason: "wrong-password",
      addressCount: 1,
      ipAddress: expect.any(String),
    });
    await trySignIn(system, person.email);
    await until(async () => (await problemOf(person, "refused")) === undefined);
  });

  test("shows a mailed code that was wrong, and a limit of tries", async () => {
    const person = await verified();
    const reasons = async () =>
      (await listRefused(person.user.id)).map(({ reason }) => reason).toSorted();
    const { email } = person;
    const browser = createBrowserLike(system.url);
    await browser.post("/email-otp/send-verification-otp", { email, type: "sign-in" });
    for (let tries = 0; tries < 30 && !(await reasons()).includes("rate-limited"); tries += 1)
      await browser.post("/sign-in/email-otp", { email, otp: "000000" });
    await until(async () => (await reasons()).length === 2);
    expect(await reasons()).toEqual(["rate-limited", "wrong-code"]);
  });

  test("shows a second factor that is pending, one that was wrong, and the lock after that", async () => {
    const person = await verified();
    await enableApp(person);
    const browser = await beginChallenge(system, person);
    expect(await problemOf(person, "second-factor-pending")).toMatchObject({
      blocks: false,
      isEnrolment: false,
    });
    for (const code of ["000000", "000001", "000002", "000003", "000004"])
      await browser.post("/two-factor/verify-totp", { code });
    expect(await problemOf(person, "second-factor-locked")).toMatchObject({ blocks: true });
    await until(async () => {
      const refused = await listRefused(person.user.id);
      return refused.some(({ reason, count }) => reason === "wrong-second-factor" && count === 5);
    });
    await browser.post("/two-factor/verify-totp", { code: "000005" });
    await until(async () =>
      (await listRefused(person.user.id)).some(({ reason }) => reason === "second-factor-locked"),
    );
  });

  test("shows a second factor that nobody can use, and a sign-in that it refused", async () => {
    const person = await verified();
    await enableApp(person);
    await rows.query(
      "update identity.two_factor set secret_sealed = null where user_id = $1",
      person.user.id,
    );
    await rows.query("delete from identity.backup_code where user_id = $1", person.user.id);
    expect(await problemOf(person, "second-factor-unusable")).toMatchObject({ blocks: true });
    await trySignIn(system, person.email);
    await until(async () => (await problemOf(person, "refused")) !== undefined);
    expect(await problemOf(person, "refused")).toMatchObject({ reason: "second-factor-missing" });
  });

  test("shows that the limit of mails is reached", async () => {
    const person = await verified();
    const request = () =>
      createBrowserLike(system.url).post("/request-password-reset", { email: person.email });
    for (const _ of ["first", "last"]) await request();
    expect(await problemOf(person, "mail-limit-reached")).toMatchObject({
      blocks: false,
      until: expect.any(String),
    });
  });

  test("shows a user without any sign-in method", async () => {
    const person = await signUp(system);
    await rows.query("delete from identity.account where user_id = $1", person.user.id);
    expect(await problemOf(person, "no-sign-in-method")).toMatchObject({ blocks: true });
  });

  test("leaves out addresses and devices for callers who may not list sessions", async () => {
    const [person, viewer] = [await verified(), await signUpAs(system, "viewer")];
    await trySignIn(system, person.email, { password: "a wrong password" });
    await until(async () => (await problemOf(person, "refused")) !== undefined);
    expect(await readState(person, viewer)).toMatchObject({
      problems: [{ kind: "refused", ipAddress: null }],
      lastSignIn: { ipAddress: null, userAgent: null },
    });
  });

  test("does not exist for an unknown user", async () => {
    const answer = callOperation(admin, identity.adminReadSignInState, {
      params: { id: "nobody" },
    });
    expect(await answer).toMatchObject({ status: 404, body: { code: "USER_NOT_FOUND" } });
  });
});

test("a sign-in of an unknown address is counted, and nothing that was typed is stored", async () => {
  const email = newEmail();
  const before = (await listRefused()).length;
  expect((await trySignIn(system, email)).status).toBe(401);
  const counted = async () =>
    (await rows.query("select sum(sign_ins_failed)::int as count from identity.daily_count"))[0];
  const start = (await counted()) as { count: number };
  await trySignIn(system, email);
  await until(async () => ((await counted()) as { count: number }).count > start.count);
  expect(await listRefused()).toHaveLength(before);
});

test("an admin sends the verification again, and a verified address is refused", async () => {
  const person = await signUp(system);
  const send = (id: string) =>
    callOperation(admin, identity.adminSendVerification, { params: { id } });
  expect((await send(person.user.id)).status).toBe(200);
  const sent = await rows.query(
    "select actor_kind, actor_id from identity.audit where action = 'verification.requested' and subject_id = $1 and actor_id = $2",
    person.user.id,
    admin.user.id,
  );
  expect(sent).toEqual([byUser(admin)]);
  expect((await send((await verified()).user.id)).status).toBe(400);
  expect((await send("nobody")).status).toBe(404);
});

test("a list of refused sign-ins needs the permission to list the audit log", async () => {
  const viewer = await signUpAs(system, "viewer");
  expect(await callOperation(viewer, identity.adminListRefusedSignIns, { query: {} })).toEqual(
    errorResponse(
      403,
      "YOU_ARE_NOT_ALLOWED_TO_LIST_THE_AUDIT_LOG",
      "You are not allowed to list the audit log",
    ),
  );
});
