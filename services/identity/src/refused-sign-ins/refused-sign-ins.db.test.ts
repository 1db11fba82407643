import type { RefusalReason } from "@latchkey/contracts";
import { createTestClock, expectNoLeaks } from "@latchkey/testkit";
import { beforeEach, expect, test } from "vitest";
import { identityConfig, openIdentityDatabase, seedUser } from "../db/test-identity.fixture.ts";
import { deleteUserRow } from "../users/queries.ts";
import { createLastSignInTally, createRefusalTally } from "./refusal-tally.ts";
import { addRefusals, findLastSignIn, type RefusalRow } from "./queries.ts";
import { sweepRefusals } from "../sweeps.ts";

expectNoLeaks("file");

const { db, connect } = await openIdentityDatabase(4);
const noon = Date.parse("2030-01-02T12:00:00.000Z");
const day = "2030-01-02";

beforeEach(() => db.deleteFrom("refusedSignIn").execute());

const rowsOf = (userId: string) =>
  db
    .selectFrom("refusedSignIn")
    .select(["ipAddress", "reason", "count", "firstAt", "lastAt"])
    .where("userId", "=", userId)
    .orderBy("ipAddress")
    .orderBy("reason")
    .execute();

const refusal = (userId: string, ipAddress: string, own: Partial<RefusalRow> = {}): RefusalRow => ({
  userId,
  day,
  ipAddress,
  reason: "wrong-password",
  count: 1,
  firstAt: new Date(noon),
  lastAt: new Date(noon),
  ...own,
});

const addresses = (count: number, block = 0) =>
  Array.from({ length: count }, (_, index) => `192.0.${block}.${index}`);

test("adds refusals of one user, address and reason to one row, with the first and last time", async () => {
  const { id: userId } = await seedUser(db);
  const clock = createTestClock(new Date(noon).toISOString());
  const tally = createRefusalTally({ clock: clock.now, db });
  const record = (ipAddress: string, reason: RefusalReason = "wrong-password") =>
    tally.record({ userId, ipAddress, reason });
  record("192.0.2.1");
  clock.advance(1_000);
  record("192.0.2.1");
  record("192.0.2.1", "banned");
  await tally.flush();
  clock.advance(1_000);
  record("192.0.2.1");
  await tally.flush();
  const at = (seconds: number) => new Date(noon + seconds * 1_000);
  const row = { ipAddress: "192.0.2.1", firstAt: at(0) };
  expect(await rowsOf(userId)).toEqual([
    { ...row, reason: "banned", count: 1, firstAt: at(1), lastAt: at(1) },
    { ...row, reason: "wrong-password", count: 3, lastAt: at(2) },
  ]);
});

/** An attack from many addresses on one user must not fill the disk. */
test("names 20 addresses of a user and day, and counts the others in one row, also in concurrent processes", async () => {
  const { id: userId } = await seedUser(db);
  const processes = [db, connect(), db, connect()];
  await Promise.all(
    processes.map((process, block) =>
      addRefusals(
        process,
        addresses(30, block).map((address) => refusal(userId, address)),
      ),
    ),
  );
  const rows = await rowsOf(userId);
  expect(rows).toHaveLength(21);
  expect(rows.filter(({ ipAddress }) => ipAddress === "")).toMatchObject([{ count: 100 }]);
  expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(120);
});

test("a process holds 20 addresses of a user in memory, and loses no count beyond them", async () => {
  const { id: userId } = await seedUser(db);
  const tally = createRefusalTally({ clock: () => noon, db });
  for (const ipAddress of addresses(250))
    tally.record({ userId, ipAddress, reason: "wrong-password" });
  await tally.flush();
  const rows = await rowsOf(userId);
  expect(rows).toHaveLength(21);
  expect(rows[0]).toMatchObject({ ipAddress: "", count: 230 });
});

/** An attack on all users must not fill the disk either. */
test("names no further address of any user once a day has its rows, and still counts", async () => {
  const limits = { addressesMax: 20, rowsOfDayMax: 3 };
  const [one, other] = [await seedUser(db), await seedUser(db)];
  const first = addresses(3).map((address) => refusal(one.id, address));
  await addRefusals(db, first, limits);
  await addRefusals(db, [...first, refusal(other.id, "192.0.2.1")], limits);
  expect((await rowsOf(one.id)).map(({ count }) => count)).toEqual([2, 2, 2]);
  expect(await rowsOf(other.id)).toMatchObject([{ ipAddress: "", count: 1 }]);
  const tomorrow = { day: "2030-01-03", lastAt: new Date(noon + 86_400_000) };
  await addRefusals(db, [refusal(other.id, "192.0.2.1", tomorrow)], limits);
  expect(await rowsOf(other.id)).toMatchObject([{ ipAddress: "" }, { ipAddress: "192.0.2.1" }]);
});

test("writes nothing about a deleted user, and deletes the rows with the user", async () => {
  const { id: userId } = await seedUser(db);
  const tally = createRefusalTally({ clock: () => noon, db });
  const lastSignIns = createLastSignInTally({ clock: () => noon, db });
  const record = async () => {
    tally.record({ userId, ipAddress: "192.0.2.1", reason: "banned" });
    lastSignIns.record({ userId, methods: "password", ipAddress: "192.0.2.1", userAgent: "a" });
    await tally.flush();
    await lastSignIns.flush();
    return [(await rowsOf(userId)).length, (await findLastSignIn(db, userId)) !== undefined];
  };
  expect(await record()).toEqual([1, true]);
  await deleteUserRow(db, userId);
  expect([(await rowsOf(userId)).length, await findLastSignIn(db, userId)]).toEqual([0, undefined]);
  expect(await record()).toEqual([0, false]);
});

test("keeps the latest sign-in, in whichever order processes write", async () => {
  const { id: userId } = await seedUser(db);
  const client = { ipAddress: "192.0.2.1", userAgent: "a" };
  const early = createLastSignInTally({ clock: () => noon, db });
  const late = createLastSignInTally({ clock: () => noon + 1, db });
  early.record({ userId, methods: "password", ...client });
  late.record({ userId, methods: "passkey", ...client });
  await late.flush();
  await early.flush();
  expect(await findLastSignIn(db, userId)).toEqual({
    userId,
    methods: "passkey",
    ...client,
    signedInAt: new Date(noon + 1),
  });
});

test("deletes rows after the retention", async () => {
  const { id: userId } = await seedUser(db);
  const config = identityConfig({ admin: { refusedSignInRetentionDays: 2 } });
  const ages = [0, 1, 2, 3, 4].map((days) => {
    const at = new Date(noon - days * 86_400_000);
    return refusal(userId, `192.0.2.${days}`, { day: at.toISOString().slice(0, 10), lastAt: at });
  });
  await addRefusals(db, ages);
  expect(await sweepRefusals({ clock: () => noon, config, db })).toBe(2);
  const remaining = await rowsOf(userId);
  expect(remaining.map(({ ipAddress }) => ipAddress)).toEqual([
    "192.0.2.0",
    "192.0.2.1",
    "192.0.2.2",
  ]);
});
