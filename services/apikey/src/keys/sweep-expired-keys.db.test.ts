import { expectNoLeaks, newPerson } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { seedKey } from "../db/test-apikey.fixture.ts";
import { deleteExpiredApiKeys, sweepExpiredKeys } from "./end-keys.ts";
import { endSpentKey } from "../verification/use-key.ts";
import { openKeys, outcomeOf } from "./test-keys.fixture.ts";

expectNoLeaks("file");

const now = Date.parse("2030-01-02T03:04:05.678Z");
const day = 86_400;
const count = 16;

const fixture = await openKeys();

const depsOfNow = () => fixture.depsWith({ clock: () => now });
const expired = { expiresAt: new Date(now - 1) };
const seedMany = (length: number, given: Parameters<typeof seedKey>[1] = expired) =>
  Promise.all(Array.from({ length }, () => seedKey(fixture.db, given)));
const actionsOf = async (id: string) => (await fixture.auditOf(id)).map(({ action }) => action);

test("deletes expired keys to the millisecond, with an audit entry that names the owner of each", async () => {
  const [gone] = await seedMany(1);
  const remaining = [
    ...(await seedMany(1, { expiresAt: new Date(now) })),
    ...(await seedMany(1, { expiresAt: null })),
  ];
  expect(await sweepExpiredKeys(depsOfNow())).toBe(1);
  if (!gone) throw new Error("nothing was written");
  expect(await fixture.rowOf(gone.id)).toBeUndefined();
  for (const { id } of remaining) expect(await fixture.rowOf(id)).toBeDefined();
  expect(await fixture.auditOf(gone.id)).toEqual([
    {
      actorKind: "system",
      actorId: null,
      action: "api-key.expired",
      before: { userId: gone.userId },
      after: null,
    },
  ]);
});

test("deletes more than a batch in one sweep, with one audit entry per key for sixteen concurrent sweeps", async () => {
  const keys = await seedMany(2_100);
  const deps = depsOfNow();
  const swept = await Promise.all(Array.from({ length: count }, () => sweepExpiredKeys(deps)));
  expect(swept.reduce((sum, each) => sum + each, 0)).toBe(keys.length);
  const ids = new Set(keys.map(({ id }) => id));
  const audit = await fixture.db.selectFrom("audit").select("subjectId").execute();
  const subjectIds = audit.map(({ subjectId }) => subjectId).filter((id) => ids.has(id));
  expect(subjectIds).toHaveLength(keys.length);
  expect(new Set(subjectIds)).toEqual(ids);
});

test("deletes all of them at a service's request", async () => {
  const keys = await seedMany(3);
  expect(await deleteExpiredApiKeys(depsOfNow())).toEqual({
    reply: { success: true, error: null },
  });
  for (const { id } of keys) expect(await fixture.rowOf(id)).toBeUndefined();
});

test("skips and keeps a key whose owner is extending it", async () => {
  const [key] = await seedMany(1);
  if (!key) throw new Error("nothing was written");
  const { id } = key;
  await fixture.db.transaction().execute(async (trx) => {
    const own = trx.updateTable("apiKey").where("id", "=", id);
    await own.set({ expiresAt: new Date(now + 1_000) }).execute();
    expect(await sweepExpiredKeys(depsOfNow())).toBe(0);
  });
  expect(await sweepExpiredKeys(depsOfNow())).toBe(0);
  expect(await fixture.rowOf(id)).toBeDefined();
});

test("either extends a key during a sweep or reports it as deleted, for sixteen owners", async () => {
  for (let round = 0; round < 5; round += 1) {
    const deps = depsOfNow();
    const users = Array.from({ length: count }, () => newPerson());
    const trials = await Promise.all(
      users.map(async (person) => {
        const { id } = await seedKey(fixture.db, { ...expired, userId: person.user.id });
        return { person, id };
      }),
    );
    const [outcomes] = await Promise.all([
      Promise.all(
        trials.map(async ({ person, id }) => ({
          id,
          outcome: await outcomeOf(fixture.update(person, { keyId: id, expiresIn: day }, deps)),
        })),
      ),
      sweepExpiredKeys(deps),
      sweepExpiredKeys(deps),
    ]);
    for (const { id, outcome } of outcomes) {
      const isKept = outcome === "done";
      expect(isKept || outcome === "KEY_NOT_FOUND").toBe(true);
      expect((await fixture.rowOf(id)) !== undefined).toBe(isKept);
      expect(await actionsOf(id)).toEqual([isKept ? "api-key.updated" : "api-key.expired"]);
    }
  }
});

test("deletes a spent key once, with one audit entry, for sixteen concurrent callers", async () => {
  for (const [outcome, given] of [
    ["expired", expired],
    ["exhausted", { remaining: 0 }],
  ] as const) {
    const { id } = await seedKey(fixture.db, given);
    const row = await fixture.rowOf(id);
    if (!row) throw new Error("nothing was written");
    const deps = depsOfNow();
    await Promise.all(Array.from({ length: count }, () => endSpentKey(deps, row, outcome)));
    expect(await fixture.rowOf(id)).toBeUndefined();
    expect(await actionsOf(id)).toEqual([`api-key.${outcome}`]);
  }
});

test.each([
  ["more time", "expired", expired, { expiresAt: new Date(now + 1) }],
  ["no expiry", "expired", expired, { expiresAt: null }],
  ["uses", "exhausted", { remaining: 0 }, { remaining: 1 }],
  ["unlimited uses", "exhausted", { remaining: 0 }, { remaining: null }],
  ["a refill", "exhausted", { remaining: 0 }, { refillAmount: 1, refillInterval: 1 }],
] as const)(
  "keeps a spent key that got %s in the meantime",
  async (_what, outcome, given, since) => {
    const { id } = await seedKey(fixture.db, given);
    const row = await fixture.rowOf(id);
    if (!row) throw new Error("nothing was written");
    await fixture.db.updateTable("apiKey").set(since).where("id", "=", id).execute();
    await endSpentKey(depsOfNow(), row, outcome);
    expect(await fixture.rowOf(id)).toBeDefined();
    expect(await actionsOf(id)).toEqual([]);
  },
);
