import { createTestClock, expectNoLeaks, newCaller, until } from "@latchkey/testkit";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { createTestDeps, identityConfig, seedUser } from "../db/test-identity.fixture.ts";
import { createTestStore, openSessionStores } from "../sessions/store/session-stores.fixture.ts";
import { changeUser } from "./change-user.ts";
import type { UserGuard, UserMembers } from "./queries.ts";
import type { UserRow } from "./user-row.ts";

expectNoLeaks("file");

const clock = createTestClock();
const caller = newCaller("updateUser");
const callers = 16;

const stores = await openSessionStores();
const { db } = stores;

const isWaiting = async (): Promise<boolean> => {
  const { rows } = await sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
    db,
  );
  return rows.length > 0;
};

/** Returns the rows that a change writes beside the user. */
const writtenAbout = async ({ id }: Pick<UserRow, "id">) => {
  const outbox = await db.selectFrom("outbox").select(["name", "data", "publishedAt"]).execute();
  const audit = db.selectFrom("audit").select(["action", "before", "after"]);
  return {
    events: outbox
      .filter(({ data }) => data.includes(id))
      .map(({ name, publishedAt }) => ({ name, isOwn: publishedAt !== null })),
    audit: await audit.where("subjectId", "=", id).orderBy("id").execute(),
    revisions: await db.selectFrom("userEpoch").select("epoch").where("userId", "=", id).execute(),
  };
};

describe.each([
  { name: "Postgres", usesRedis: false },
  { name: "Redis", usesRedis: true },
])("with sessions in $name", ({ name, usesRedis }) => {
  const events = (isOwn: boolean) => (usesRedis ? [{ name: "user.updated", isOwn }] : []);
  const config = identityConfig();
  const createDeps = () => {
    const store = { name, config: config.session, usesRedis, clock: clock.now };
    const sessions = createTestStore(stores, store);
    return { ...createTestDeps({ config, db, clock: clock.now }), sessions };
  };
  const settled: string[] = [];
  const change = async (
    user: Pick<UserRow, "id">,
    members: Partial<UserMembers>,
    guard: UserGuard = {},
  ) => {
    const deps = { ...createDeps(), settleEvent: (id: string) => void settled.push(id) };
    return changeUser(deps, { user, change: members, guard, action: "user.updated", caller });
  };

  test("writes an own event only if sessions hold user snapshots", async () => {
    const user = await seedUser(db);
    expect(await change(user, { name: "Grace" })).toMatchObject({
      name: "Grace",
      revision: user.revision + 1,
    });
    expect(await writtenAbout(user)).toEqual({
      events: events(true),
      // The audit keeps no personal data.
      audit: [{ action: "user.updated", before: null, after: { name: "changed" } }],
      revisions: [{ epoch: user.revision + 1 }],
    });
  });

  test("settles the own event once the snapshots are renewed", async () => {
    const user = await seedUser(db);
    await change(user, { name: "Grace" });
    const written = db.selectFrom("outbox").select("id").where("data", "like", `%${user.id}%`);
    const ids = (await written.execute()).map(({ id }) => id);
    expect(ids).toHaveLength(usesRedis ? 1 : 0);
    expect(settled).toEqual(expect.arrayContaining(ids));
  });

  test("publishes a change of rights at once", async () => {
    const user = await seedUser(db);
    await change(user, { role: "admin" });
    expect(await writtenAbout(user)).toMatchObject({
      events: events(false),
      audit: [{ before: { role: "user" }, after: { role: "admin" } }],
    });
  });

  test("changes a user that was not read", async () => {
    const { id } = await seedUser(db, { extra: { plan: "free", seats: 1 } });
    expect(await change({ id }, { name: "Grace", extra: { seats: 2 } })).toMatchObject({
      name: "Grace",
      extra: { plan: "free", seats: 2 },
    });
    expect(await change({ id }, { role: "admin" })).toMatchObject({ name: "Grace", role: "admin" });
    const { audit } = await writtenAbout({ id });
    expect(audit).toMatchObject([
      { before: null, after: { name: "changed", extra: { seats: "changed" } } },
      { before: { role: "user" }, after: { role: "admin" } },
    ]);
  });

  test("changes nothing of a deleted user", async () => {
    expect(await change({ id: "nobody" }, { name: "Grace" })).toBeUndefined();
    expect(await change({ id: "nobody" }, { role: "admin" })).toBeUndefined();
    expect(await writtenAbout({ id: "nobody" })).toEqual({ events: [], audit: [], revisions: [] });
  });

  test("applies the application's hook to a user that was not read", async () => {
    const { id } = await seedUser(db);
    const before = async (user: { name: string }) => ({ data: { name: `${user.name} Hopper` } });
    const hooked = identityConfig({ databaseHooks: { user: { update: { before } } } });
    const deps = { ...createDeps(), config: hooked };
    const action = "user.updated";
    const changed = changeUser(deps, { user: { id }, change: { name: "Grace" }, action, caller });
    expect(await changed).toMatchObject({ name: "Grace Hopper" });
  });

  test("writes nothing if the guard does not hold", async () => {
    const user = await seedUser(db);
    expect(await change(user, { name: "Grace" }, { email: "other@example.com" })).toBeUndefined();
    expect(await writtenAbout(user)).toEqual({ events: [], audit: [], revisions: [] });
  });

  test("writes each of sixteen concurrent changes once, and audits only what it sets", async () => {
    const user = await seedUser(db);
    const names = Array.from({ length: callers }, (_, index) => `Name ${index}`);
    await Promise.all(
      names.map((own, index) =>
        change(user, index % 2 === 0 ? { name: own } : { image: `${own}.png` }),
      ),
    );
    const { audit, revisions } = await writtenAbout(user);
    expect(audit).toHaveLength(callers);
    expect(audit.filter(({ after }) => Object.keys(after ?? {}).length !== 1)).toEqual([]);
    expect(revisions).toEqual([{ epoch: user.revision + callers }]);
  });

  test("keeps a member that a concurrent change has written", async () => {
    const user = await seedUser(db);
    const { changing } = await db.transaction().execute(async (trx) => {
      await trx.updateTable("user").set({ name: "Grace" }).where("id", "=", user.id).execute();
      const changing = change(user, { image: "a.png" }, { email: user.email });
      await until(isWaiting, { describe: "the change to wait for the other one" });
      return { changing };
    });
    expect(await changing).toMatchObject({ name: "Grace", image: "a.png" });
  });

  test("does not change a user whose guarded member a concurrent change has written", async () => {
    const user = await seedUser(db);
    const { changing } = await db.transaction().execute(async (trx) => {
      await trx
        .updateTable("user")
        .set({ emailVerified: !user.emailVerified })
        .where("id", "=", user.id)
        .execute();
      const changing = change(user, { image: "a.png" }, { emailVerified: user.emailVerified });
      await until(isWaiting, { describe: "the change to wait for the other one" });
      return { changing };
    });
    expect(await changing).toBeUndefined();
  });
});
