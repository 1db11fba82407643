import { operations } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { matrix } from "../harness/matrix.ts";
import { callOperation, type Client, expectOk, serviceConfig } from "../harness/operations.ts";
import { errorResponse } from "../harness/responses.ts";
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
  const { system, admin, rows } = useSystem({ stores, config: serviceConfig });

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
