import { type operations, WireError } from "@latchkey/contracts";
import { migrate } from "@latchkey/service-kit/database";
import type { Call } from "@latchkey/service-kit/http";
import { createTestDatabase, expectNoLeaks, newCaller } from "@latchkey/testkit";
import { sql } from "kysely";
import { beforeEach, describe, expect, inject, test } from "vitest";
import { migrations } from "../db/migrations.ts";
import { schema } from "../db/schema.ts";
import {
  connectIdentity,
  createTestDeps,
  identityConfig,
  openIdentityDatabase,
} from "../db/test-identity.fixture.ts";
import { createActivityTally, sweepActiveUsers } from "./activity-tally.ts";
import { countRefusal } from "./count-refusal.ts";
import { adminReadIdentityStatistics, adminReadSignInMethods } from "./read-identity-statistics.ts";

expectNoLeaks("file");

const noon = Date.parse("2030-01-02T12:00:00.000Z");
const day = "2030-01-02";
const none = { signUps: 0, signIns: 0, signInsFailed: 0, activeUsers: 0 };

const { db, connect } = await openIdentityDatabase();
const replicas = [db, connect()] as const;
beforeEach(async () => {
  await db.deleteFrom("dailyCount").execute();
  await db.deleteFrom("activeUser").execute();
  await db.deleteFrom("dailyMethodCount").execute();
  await db.deleteFrom("dailyRefusalCount").execute();
});

type Query = Call<typeof operations.identity.adminReadIdentityStatistics>["query"];

const depsOf = (on = db) => createTestDeps({ config: identityConfig(), db: on, clock: () => noon });
const read = async (query: Query, from = db) => {
  const call = { query } as Call<typeof operations.identity.adminReadIdentityStatistics>;
  const answer = await adminReadIdentityStatistics(depsOf(from), call);
  if ("redirect" in answer) throw new Error("nobody is sent anywhere");
  return answer.reply.days;
};
const today = async () => (await read({ from: day, to: day }))[0];
const createTally = (clock: () => number = () => noon, on = db) =>
  createActivityTally({ clock, db: on });

test("counts activity by kind, and adds it up over several writes", async () => {
  const tally = createTally();
  tally.recordSignUp();
  tally.recordSignIn("ada");
  tally.recordRefusedSignIn("wrong-password");
  tally.recordRefusedSignIn("wrong-password");
  tally.recordUse("bob");
  await tally.flush();
  const first = { signUps: 1, signIns: 1, signInsFailed: 2, activeUsers: 2 };
  expect(await today()).toEqual({ day, ...first });
  tally.recordSignIn("ada");
  await tally.flush();
  expect(await today()).toEqual({ day, ...first, signIns: 2 });
});

test("counts sign-ins by method, each method once a sign-in, over several writes and processes", async () => {
  const tally = createTally();
  tally.recordSignIn("ada", ["password", "totp"]);
  tally.recordSignIn("bob", ["password"]);
  await tally.flush();
  const other = createTally(undefined, replicas[1]);
  other.recordSignIn("ada", ["social:github"]);
  other.recordSignIn("ada", ["password", "password"]);
  await other.flush();
  const query = { from: day, to: day };
  const call = { query } as Call<typeof operations.identity.adminReadSignInMethods>;
  expect(await adminReadSignInMethods(depsOf(), call)).toEqual({
    reply: {
      counts: [
        { day, method: "password", signIns: 3 },
        { day, method: "social:github", signIns: 1 },
        { day, method: "totp", signIns: 1 },
      ],
      refusals: [],
    },
  });
});

test("counts refused sign-ins by reason, also of unknown users, over several writes and processes", async () => {
  const tally = createTally();
  tally.recordRefusedSignIn("wrong-password");
  tally.recordRefusedSignIn("banned", { userId: "nobody", ipAddress: "192.0.2.1" });
  await tally.flush();
  const other = createTally(undefined, replicas[1]);
  other.recordRefusedSignIn("wrong-password");
  await other.flush();
  const query = { from: day, to: day };
  const call = { query } as Call<typeof operations.identity.adminReadSignInMethods>;
  expect(await adminReadSignInMethods(depsOf(), call)).toEqual({
    reply: {
      counts: [],
      refusals: [
        { day, reason: "banned", refusals: 1 },
        { day, reason: "wrong-password", refusals: 2 },
      ],
    },
  });
});

test("writes nothing without activity", async () => {
  await createTally().flush();
  expect(await db.selectFrom("dailyCount").select("day").execute()).toEqual([]);
});

test("counts a user as active once a day, however often and in however many processes", async () => {
  let now = noon;
  const tallies = replicas.map((replica) => createTally(() => now, replica));
  const users = Array.from({ length: 200 }, (_, index) => `user-${index}`);
  const seen = () =>
    Promise.all(
      tallies.map((tally, index) => {
        // In opposite orders, in which two transactions could deadlock.
        for (const user of index === 0 ? users : users.toReversed()) tally.recordSignIn(user);
        return tally.flush();
      }),
    );
  for (let round = 0; round < 8; round += 1) await seen();
  expect(await today()).toEqual({ day, ...none, signIns: 3_200, activeUsers: 200 });
  now += 86_400_000;
  await seen();
  expect(await read({ from: "2030-01-03", to: "2030-01-03" })).toEqual([
    { day: "2030-01-03", ...none, signIns: 400, activeUsers: 200 },
  ]);
});

test("counts a user once in 16 concurrent writes", async () => {
  const tallies = Array.from({ length: 16 }, (_, index) =>
    createTally(undefined, replicas[index % 2]),
  );
  await Promise.all(
    tallies.map((tally) => {
      tally.recordUse("ada");
      return tally.flush();
    }),
  );
  expect(await today()).toEqual({ day, ...none, activeUsers: 1 });
});

test("loses no user after a failed write, and counts none twice", async () => {
  const tally = createTally();
  tally.recordSignIn("ada");
  tally.recordRefusedSignIn("wrong-password");
  await sql`alter table identity.daily_count add constraint refused check (day <> ${sql.lit(day)}) not valid`.execute(
    db,
  );
  const failing = expect(tally.flush()).rejects.toThrow("violates check constraint");
  tally.recordSignIn("ada");
  tally.recordSignIn("bob");
  await failing;
  await sql`alter table identity.daily_count drop constraint refused`.execute(db);
  await tally.flush();
  expect(await today()).toEqual({ day, ...none, signIns: 3, signInsFailed: 1, activeUsers: 2 });
});

describe("a range", () => {
  test("contains every day, including those without activity", async () => {
    const tally = createTally();
    tally.recordSignUp();
    await tally.flush();
    expect(await read({ from: "2030-01-01", to: "2030-01-03" })).toEqual([
      { day: "2030-01-01", ...none },
      { day, ...none, signUps: 1 },
      { day: "2030-01-03", ...none },
    ]);
    expect(await read({})).toHaveLength(30);
    expect(await read({ from: "2029-01-01", to: "2030-02-04" })).toHaveLength(400);
  });

  test.each([
    { from: "2028-12-31", to: "2030-02-04" },
    { from: "2030-01-03", to: "2030-01-02" },
  ])("rejects %j", async (query) => {
    await expect(read(query)).rejects.toThrow(WireError);
  });
});

test("deletes the names of active users after a week, but not their number", async () => {
  const clock = () => noon;
  for (const back of [0, 6, 7, 8, 30]) {
    const tally = createTally(() => noon - back * 86_400_000);
    tally.recordUse("ada");
    await tally.flush();
  }
  expect(await sweepActiveUsers({ clock, db })).toBe(2);
  expect(await sweepActiveUsers({ clock, db })).toBe(0);
  const days = await read({ from: "2029-12-03", to: day });
  expect(days.filter(({ activeUsers }) => activeUsers === 1)).toHaveLength(5);
});

describe("a sign-in", () => {
  const count = async (signIn: () => Promise<unknown>) => {
    const activity = createTally();
    const settled = await countRefusal({ activity }, newCaller("signInEmail"), signIn).catch(
      (error: unknown) => error,
    );
    await activity.flush();
    return [settled, (await today())?.signInsFailed];
  };

  const throwing = (error: Error) => async () => {
    throw error;
  };

  test("that succeeds is returned", async () => {
    expect(await count(async () => "in")).toEqual(["in", 0]);
  });

  test.each([
    new WireError("INVALID_EMAIL_OR_PASSWORD"),
    new WireError("BANNED_USER"),
    new WireError("FAILED_TO_CREATE_SESSION", { status: 500 }),
  ])("that is refused is counted, and returns the reason: %s", async (error) => {
    expect(await count(throwing(error))).toEqual([error, 1]);
  });

  test.each([new WireError("SERVICE_UNAVAILABLE"), new Error("Postgres is away")])(
    "that fails by a server error is not counted: %s",
    async (error) => {
      expect(await count(throwing(error))).toEqual([error, 0]);
    },
  );
});

test("counts the days before the first count by the audit", async () => {
  const older = await createTestDatabase({
    baseUrl: inject("databaseUrl"),
    template: { name: "empty", hash: "1", build: async () => {} },
  });
  const before = connectIdentity(older.url, 2);
  try {
    const names = Object.keys(migrations);
    const until = names.slice(0, names.indexOf("0007_daily_counts"));
    const earlier = Object.fromEntries(until.map((name) => [name, migrations[name]!])); // the names are its keys
    await migrate({ db: before, schema, migrations: earlier });
    const rows = [
      ["2029-12-30 23:59:59Z", "user.created", "ada", "ada"],
      ["2029-12-31 00:00:00Z", "session.created", "ada", "s1"],
      ["2029-12-31 12:00:00Z", "session.created", "ada", "s2"],
      ["2029-12-31 23:59:59Z", "session.created", "bob", "s3"],
      ["2029-12-31 23:59:59Z", "user.created", "root", "bob"],
      ["2029-12-31 23:59:59Z", "session.revoked", "bob", "s3"],
      ["2029-12-31 23:59:59Z", "session.impersonated", "root", "s4"],
      ["now", "session.created", "ada", "s5"],
    ] as const;
    for (const [at, action, actor, subject] of rows)
      await sql`insert into identity.audit
        (occurred_at, actor_kind, actor_id, subject_kind, subject_id, action, outcome, address, request_id)
        values (${at}::timestamptz, 'user', ${actor}, 'any', ${subject}, ${action}, 'success', '', '')`.execute(
        before,
      );
    await migrate({ db: before, schema, migrations });
    expect(await read({ from: "2029-12-30", to: "2029-12-31" }, before)).toEqual([
      { day: "2029-12-30", ...none, signUps: 1 },
      { day: "2029-12-31", ...none, signIns: 3, activeUsers: 2 },
    ]);
    const now = createTally(Date.now, before);
    now.recordUse("ada");
    await now.flush();
    const counted = await before.selectFrom("dailyCount").select("activeUsers").execute();
    expect(counted.reduce((sum, { activeUsers }) => sum + activeUsers, 0)).toBe(3);
  } finally {
    await before.destroy();
    await older.drop();
  }
});
