import type { operations } from "@latchkey/contracts";
import type { Call } from "@latchkey/service-kit/http";
import { expectNoLeaks, newCaller, newPerson } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import {
  createTestDeps,
  identityConfig,
  openIdentityDatabase,
  seedSession,
  seedUser,
} from "../db/test-identity.fixture.ts";
import { findUser } from "../users/find-users.ts";
import type { UserRow } from "../users/user-row.ts";
import { listAdminsWithoutSecondFactor } from "./operator.ts";
import { adminResetTwoFactor, resetTwoFactorOf } from "./credentials.ts";

expectNoLeaks("file");

const { db } = await openIdentityDatabase(20);
const roles = {
  admin: { user: ["reset-two-factor", "ban"] },
  support: { user: ["reset-two-factor"] },
  helper: { user: ["ban"] },
  user: {},
};
const configWith = (tree: object = {}) => identityConfig({ admin: { roles }, ...tree });
const deps = createTestDeps({ config: configWith(), db, clock: Date.now });

const seedFactor = async (role = "user"): Promise<UserRow> => {
  const user = await seedUser(db, { role, twoFactorEnabled: true });
  const { id: userId } = user;
  await db.insertInto("twoFactor").values({ userId }).execute();
  await seedSession(deps, user, { caller: newCaller(), remember: true });
  return user;
};

const adminOf = (role: string) => seedUser(db, { role });

const reset = async (by: UserRow, userId: string) => {
  const { caller, session } = newPerson({ id: by.id, role: by.role ?? "user" });
  const call = { body: { userId }, caller, session };
  return adminResetTwoFactor(
    deps,
    call as unknown as Call<typeof operations.identity.adminResetTwoFactor>,
  );
};

const stateOf = async ({ id }: UserRow) => {
  const [user, factors, sessions, audit, events] = await Promise.all([
    findUser({ db }, { id }),
    db.selectFrom("twoFactor").select("userId").where("userId", "=", id).execute(),
    db.selectFrom("session").select("id").where("userId", "=", id).execute(),
    db
      .selectFrom("audit")
      .select(["actorKind", "actorId", "action"])
      .where("subjectId", "=", id)
      .where("action", "=", "two-factor.reset")
      .execute(),
    db.selectFrom("outbox").select(["name", "data"]).execute(),
  ]);
  return {
    isOn: user?.twoFactorEnabled,
    factors: factors.length,
    sessions: sessions.length,
    audit,
    mails: events.filter(({ name }) => name === "two-factor.reset").length,
  };
};

const untouched = { isOn: true, factors: 1, sessions: 1, audit: [] };

describe("a reset by an admin", () => {
  test("removes the second factor, ends all sessions, and is mailed and audited", async () => {
    const [admin, user] = [await adminOf("support"), await seedFactor()];
    const { mails } = await stateOf(user);
    expect(await reset(admin, user.id)).toEqual({ reply: { status: true } });
    expect(await stateOf(user)).toEqual({
      isOn: false,
      factors: 0,
      sessions: 0,
      audit: [{ actorKind: "user", actorId: admin.id, action: "two-factor.reset" }],
      mails: mails + 1,
    });
  });

  test.each([
    ["support", "admin"],
    ["support", "helper"],
    ["helper", "user"],
    ["user", "user"],
  ])("is refused to a %s for a %s", async (by, role) => {
    const user = await seedFactor(role);
    await expect(reset(await adminOf(by), user.id)).rejects.toMatchObject({
      code: "YOU_ARE_NOT_ALLOWED_TO_RESET_SECOND_FACTORS",
    });
    expect(await stateOf(user)).toMatchObject(untouched);
  });

  test("is refused for oneself and for unknown users", async () => {
    const admin = await seedFactor("admin");
    await expect(reset(admin, admin.id)).rejects.toMatchObject({
      code: "YOU_CANNOT_RESET_YOUR_OWN_SECOND_FACTOR",
    });
    await expect(reset(admin, "nobody")).rejects.toMatchObject({ code: "USER_NOT_FOUND" });
    expect(await stateOf(admin)).toMatchObject(untouched);
  });

  test("is refused to a caller who lost the role meanwhile", async () => {
    const [former, user] = [await adminOf("user"), await seedFactor()];
    await expect(reset({ ...former, role: "admin" }, user.id)).rejects.toMatchObject({
      code: "YOU_ARE_NOT_ALLOWED_TO_RESET_SECOND_FACTORS",
    });
    expect(await stateOf(user)).toMatchObject(untouched);
  });
});

test("an operator resets any user, under the name of the command line", async () => {
  const user = await seedFactor("admin");
  await resetTwoFactorOf(deps, { email: user.email });
  expect(await stateOf(user)).toMatchObject({
    isOn: false,
    factors: 0,
    sessions: 0,
    audit: [{ actorKind: "service", actorId: "npx latchkey", action: "two-factor.reset" }],
  });
});

test("admins without a second factor are named, unless their role requires one", async () => {
  const createdAt = new Date(0); // the oldest are listed
  const lacking = await seedUser(db, { role: "admin", createdAt });
  const having = await seedUser(db, { role: "admin", createdAt, twoFactorEnabled: true });
  const named = await listAdminsWithoutSecondFactor({ db, config: configWith() });
  expect(named).toContain(lacking.email);
  expect(named).not.toContain(having.email);
  const config = configWith({ twoFactor: { required: { roles: ["admin"] } } });
  expect(await listAdminsWithoutSecondFactor({ db, config })).toEqual([]);
});
