import { type OperationReply, operations, type Wire } from "@latchkey/contracts";
import { expectNoLeaks, until } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { createKey, keySessionConfig, verificationCode } from "../harness/api-keys.ts";
import { byUser } from "../harness/audit.ts";
import { sessionStores } from "../harness/matrix.ts";
import { callOperation, expectOk } from "../harness/operations.ts";
import { race } from "../harness/race.ts";
import { errorResponse } from "../harness/responses.ts";
import { beginChallenge, enableApp } from "../harness/second-factor.ts";
import { useSystem } from "../harness/use-system.ts";
import { isSessionToken, signInElsewhere, signUp, trySignIn } from "../harness/users.ts";

expectNoLeaks("file");

const { identity, webhooks } = operations;
type EventList = Wire<OperationReply<typeof webhooks.adminListEvents>>;
type Secured = Wire<OperationReply<typeof identity.adminSecureUser>>;

describe.each(sessionStores("redis"))("with sessions in $where", ({ stores }) => {
  const { system, rows, admin } = useSystem({ stores, config: keySessionConfig() });

  const secure = (userId: string, own: object = {}, by = admin) =>
    callOperation<Secured>(by, identity.adminSecureUser, { body: { userId, ...own } });
  const auditOf = (userId: string) =>
    rows.query(
      "select actor_kind, actor_id, action, after from identity.audit where subject_id = $1 and actor_id = $2",
      userId,
      admin.user.id,
    );

  test("securing a user ends sessions, the password and keys, mails a reset, and writes one audit entry", async () => {
    const person = await signUp(system);
    const other = await signInElsewhere(system, person);
    const key = await createKey(person);
    const answer = await secure(person.user.id, { reason: "Stolen laptop" });
    expect(answer).toMatchObject({
      status: 200,
      body: { sessionCount: 2, passwordEnded: true, resetMailed: true },
    });
    for (const { token } of [person, other])
      expect(await isSessionToken(system, token)).toBe(false);
    expect((await trySignIn(system, person.email)).status).toBe(401);
    expect(await verificationCode(system, key.key)).toBe("KEY_DISABLED");
    expect(await auditOf(person.user.id)).toEqual([
      {
        ...byUser(admin),
        action: "user.secured",
        after: {
          sessionCount: 2,
          passwordEnded: true,
          ended: ["password"],
          reason: "Stolen laptop",
        },
      },
    ]);
    const types = await until(async () => {
      const { events } = await expectOk<EventList>(
        callOperation(admin, webhooks.adminListEvents, { query: { limit: 100 } }),
      );
      const own = events.filter(({ data }) => data["userId"] === person.user.id);
      const ownTypes = own.map(({ type }) => type);
      return ownTypes.includes("user.password-changed") && ownTypes;
    });
    expect(types).toContain("session.all-revoked");
    const state = await callOperation<{ canSignIn: boolean; problems: { kind: string }[] }>(
      admin,
      identity.adminReadSignInState,
      { params: { id: person.user.id } },
    );
    expect(state.body.problems.map(({ kind }) => kind)).toContain("password-reset-required");
  });

  test("a new password by the mailed link opens the account again", async () => {
    const person = await signUp(system);
    await secure(person.user.id);
    const mailed = await rows.query(
      "select count(*)::int as count from identity.verification where value = $1",
      person.user.id,
    );
    expect(mailed).toEqual([{ count: 1 }]);
    const newPassword = "another horse battery";
    await callOperation(admin, identity.adminSetUserPassword, {
      body: { userId: person.user.id, newPassword },
    });
    expect((await trySignIn(system, person.email, { password: newPassword })).status).toBe(200);
    const required = await rows.query(
      "select reset_required_at from identity.account where user_id = $1",
      person.user.id,
    );
    expect(required).toEqual([{ reset_required_at: null }]);
  });

  test("the second factor stays, and a sign-in that waits for it ends", async () => {
    const person = await signUp(system);
    const app = await enableApp(person);
    const waiting = await beginChallenge(system, person);
    await secure(person.user.id);
    const response = await waiting.post("/two-factor/verify-totp", { code: app.codeAt(0) });
    expect(response.status).toBe(401);
    const factor = await rows.query(
      "select secret_sealed is not null as kept from identity.two_factor where user_id = $1",
      person.user.id,
    );
    expect(factor).toEqual([{ kept: true }]);
  });

  test("a user without a password only loses sessions, keys and pending sign-ins", async () => {
    const person = await signUp(system);
    await rows.query(
      "update identity.account set password = null where user_id = $1",
      person.user.id,
    );
    expect((await secure(person.user.id)).body).toEqual({
      sessionCount: 1,
      passwordEnded: false,
      resetMailed: false,
    });
    expect(await isSessionToken(system, person.token)).toBe(false);
  });

  test("an account at a provider is unlinked by its own id, with an audit entry, and the password is not", async () => {
    const person = await signUp(system);
    const accountId = `github of ${person.user.id}`;
    await rows.query(
      `insert into identity.account (id, user_id, provider_id, account_id, created_at, updated_at)
      values ($1, $2, 'github', $1, now(), now())`,
      accountId,
      person.user.id,
    );
    const unlink = (id: string, userId = person.user.id) =>
      callOperation(admin, identity.adminUnlinkAccount, { body: { userId, id } });
    const outcomes = await race(async () => (await unlink(accountId)).status);
    expect(outcomes.toSorted()).toEqual([200, ...Array.from({ length: 15 }, () => 400)]);
    expect(await auditOf(person.user.id)).toEqual([
      { ...byUser(admin), action: "account.unlinked", after: null },
    ]);
    const [password] = await rows.query(
      "select id from identity.account where user_id = $1",
      person.user.id,
    );
    expect(await unlink((password as { id: string }).id)).toMatchObject({
      status: 400,
      body: { code: "ACCOUNT_NOT_FOUND" },
    });
    expect((await unlink(accountId, "nobody")).status).toBe(404);
    expect((await trySignIn(system, person.email)).status).toBe(200);
  });

  test("concurrent calls leave no session, and no sign-in by the old password survives", async () => {
    const person = await signUp(system);
    const outcomes = await race(async (index) => {
      if (index % 2 === 1) return (await trySignIn(system, person.email)).body.token;
      await secure(person.user.id);
      return undefined;
    });
    for (const token of outcomes)
      if (typeof token === "string") expect(await isSessionToken(system, token)).toBe(false);
  });

  test("nobody secures themself, an unknown user, or acts without the permission", async () => {
    expect(await secure(admin.user.id)).toMatchObject({
      status: 400,
      body: { code: "YOU_CANNOT_SECURE_YOURSELF" },
    });
    expect(await secure("nobody")).toMatchObject({ status: 404, body: { code: "USER_NOT_FOUND" } });
    const [user, person] = [await signUp(system), await signUp(system)];
    expect(await secure(person.user.id, {}, user)).toEqual(
      errorResponse(
        403,
        "YOU_ARE_NOT_ALLOWED_TO_SECURE_USERS",
        "You are not allowed to secure users",
      ),
    );
    expect(await isSessionToken(system, person.token)).toBe(true);
  });
});
