import { createTestClock, expectNoLeaks, newCaller } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import {
  createTestDeps,
  identityConfig,
  seedUser,
  untilAnswering,
} from "../db/test-identity.fixture.ts";
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

/** Returns the rows that a change writes beside the user. */
const writtenAbout = async ({ id }: UserRow) => {
  const outbox = await db.selectFrom("outbox").select(["name", "data"]).execute();
  const audit = db.selectFrom("audit").select(["action", "before", "after"]);
  return {
    events: outbox.filter(({ data }) => data.includes(id)).map(({ name }) => name),
    audit: await audit.where("subjectId", "=", id).orderBy("id").execute(),
    revisions: await db.selectFrom("userEpoch").select("epoch").where("userId", "=", id).execute(),
  };
};

describe.each([
  { name: "Postgres", usesRedis: false, events: [] },
  { name: "Redis", usesRedis: true, events: ["user.updated"] },
])("with sessions in $name", ({ name, usesRedis, events }) => {
  const config = identityConfig();
  const createDeps = async () => {
    const store = { name, config: config.session, usesRedis, clock: clock.now };
    const sessions = createTestStore(stores, store);
    await untilAnswering(sessions);
    return { ...createTestDeps({ config, db, clock: clock.now }), sessions };
  };
  const change = async (user: UserRow, members: Partial<UserMembers>, guard: UserGuard = {}) =>
    changeUser(await createDeps(), {
      user,
      change: members,
      guard,
      action: "user.updated",
      caller,
    });

  test("publishes an event only if sessions hold user snapshots", async () => {
    const user = await seedUser(db);
    expect(await change(user, { name: "Grace" })).toMatchObject({
      name: "Grace",
      revision: user.revision + 1,
    });
    expect(await writtenAbout(user)).toEqual({
      events,
      // The audit keeps no personal data.
      audit: [{ action: "user.updated", before: null, after: { name: "changed" } }],
      revisions: [{ epoch: user.revision + 1 }],
    });
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
});
