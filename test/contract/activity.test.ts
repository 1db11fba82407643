import { operations } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { matrix } from "../harness/matrix.ts";
import { callOperation, type Client, expectOk, serviceConfig } from "../harness/operations.ts";
import { errorResponse } from "../harness/responses.ts";
import { beginChallenge, enableApp } from "../harness/second-factor.ts";
import { useSystem } from "../harness/use-system.ts";
import { impersonateInRows, newClient, signInElsewhere, signUp } from "../harness/users.ts";

expectNoLeaks("file");

const { listActivity, updateUser, signOut } = operations.identity;

interface Entry {
  id: string;
  occurredAt: string;
  action: string;
  byCaller: boolean;
  address: string | null;
}

describe.each(matrix("postgres", "redis"))("with sessions in %s", (stores) => {
  const { system, admin, rows } = useSystem({
    stores,
    config: {
      ...serviceConfig,
      twoFactor: { accountLockout: { maxFailedAttempts: 5 } },
    },
  });

  const activityOf = (client: Client): Promise<Entry[]> =>
    expectOk(callOperation<Entry[]>(client, listActivity));

  test("lists the caller's own sign-ins and changes, newest first", async () => {
    const user = await signUp(system);
    await expectOk(callOperation(user, updateUser, { body: { name: "Grace" } }));
    const elsewhere = await signInElsewhere(system, user);
    await expectOk(callOperation(elsewhere, signOut));
    const entries = await activityOf(user);
    expect(entries.map(({ action }) => action)).toEqual([
      "session.signed-out",
      "session.created",
      "user.updated",
      "session.created",
      "user.created",
    ]);
    expect(entries[1]).toMatchObject({ byCaller: true, address: "127.0.0.1" });
  });

  test("shows what an admin has changed, and neither who that is nor their address", async () => {
    const user = await signUp(system);
    const body = { userId: user.user.id, role: "user" };
    expect((await admin.browser.post("/admin/set-role", body)).status).toBe(200);
    const [latest] = await activityOf(user);
    expect(latest).toMatchObject({ action: "user.role-changed", byCaller: false, address: null });
    expect(JSON.stringify(await activityOf(user))).not.toContain(admin.user.id);
  });

  /** Attack: a stranger who has the password guesses codes, and the user learns nothing of it. */
  test("warns of a lock after wrong codes, as an act of somebody else", async () => {
    const user = await signUp(system);
    await enableApp(user);
    const stranger = await beginChallenge(system, user);
    for (const code of ["000000", "000001", "000002", "000003", "000004"])
      await stranger.post("/two-factor/verify-totp", { code });
    const [latest] = await activityOf(user);
    expect(latest).toMatchObject({ action: "two-factor.locked", byCaller: false, address: null });
  });

  test("warns of a sign-in by a copied passkey", async () => {
    const user = await signUp(system);
    await rows.query(
      `insert into identity.audit (occurred_at, actor_kind, subject_kind, subject_id, action, outcome, address, request_id)
       values (now() + interval '1 second', 'anonymous', 'user', $1, 'passkey.refused', 'refused', '192.0.2.1', 'r')`,
      user.user.id,
    );
    const [latest] = await activityOf(user);
    expect(latest).toMatchObject({ action: "passkey.refused", byCaller: false, address: null });
  });

  /** Attack: reading what others do, among them users on whom the caller has acted as an admin. */
  test("contains nothing of other users, also for an admin", async () => {
    const user = await signUp(system);
    const before = await activityOf(admin);
    const body = { userId: user.user.id };
    expect((await admin.browser.post("/admin/set-role", { ...body, role: "user" })).status).toBe(
      200,
    );
    expect((await admin.browser.post("/admin/revoke-user-sessions", body)).status).toBe(200);
    expect(await activityOf(admin)).toEqual(before);
  });

  test("is refused to callers without a session, and in an impersonation", async () => {
    expect(await callOperation(newClient(system), listActivity)).toMatchObject({ status: 401 });
    const user = await signUp(system);
    await impersonateInRows(system, rows, user.user.id);
    expect(await callOperation(user, listActivity)).toEqual(
      errorResponse(403, "FORBIDDEN", "Forbidden"),
    );
  });

  test("is at most the latest hundred", async () => {
    const user = await signUp(system);
    await rows.query(
      `insert into identity.audit (occurred_at, actor_kind, actor_id, subject_kind, subject_id, action, outcome, address, request_id)
       select now() + n * interval '1 second', 'user', $1, 'user', $1, 'user.updated', 'success', '', 'r'
       from generate_series(1, 150) n`,
      user.user.id,
    );
    const entries = await activityOf(user);
    expect(entries).toHaveLength(100);
    const times = entries.map(({ occurredAt }) => occurredAt);
    expect(times).toEqual(times.toSorted().toReversed());
  });
});
