import { hashToken, randomToken } from "@latchkey/crypto";
import { createRedisKeys, initialOf } from "@latchkey/service-kit";
import {
  createTestClock,
  createTestRedis,
  expectNoLeaks,
  type TestDatabase,
  type TestRedis,
} from "@latchkey/testkit";
import type { Kysely } from "kysely";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import {
  connectIdentity,
  createIdentityDatabase,
  seedUser,
} from "../../db/test-identity.fixture.ts";
import { sessionColumns, type Tables } from "../../db/tables.ts";
import { createDoubleSessionStore } from "./double-session-store.ts";
import { createPostgresSessionStore } from "./postgres-session-store.ts";
import { createRedisSessionStore } from "./redis-session-store.ts";
import type { SessionStore, StoredSession } from "./session-store.ts";

expectNoLeaks("file");

const clock = createTestClock();
const audit = {
  actor: { kind: "system" },
  subject: { kind: "session", id: "s" },
  action: "session.created",
} as const;

let database: TestDatabase;
let redis: TestRedis;
let db: Kysely<Tables>;
let cache: SessionStore;
let rows: SessionStore;
beforeAll(async () => {
  [database, redis] = await Promise.all([
    createIdentityDatabase(),
    createTestRedis(inject("redisUrl")),
  ]);
  db = connectIdentity(database.url);
  const nothing = async () => {};
  const ends = { clock: clock.now, recordEnd: nothing };
  rows = createPostgresSessionStore({ ...ends, db, keepRevoked: false, recordChange: nothing });
  cache = createRedisSessionStore({
    ...ends,
    redis: redis.client,
    recordAudit: nothing,
    recordImported: nothing,
    keyOf: createRedisKeys(redis.keyPrefix.slice(0, -1)),
  });
});
afterAll(async () => {
  await db.destroy();
  await redis.close();
  await database.drop();
});

/** Returns a session that is in no store yet. */
const propose = async (activeOrganizationId: string | null = null) => {
  const user = await seedUser(db);
  const id = randomToken(32, "alphanumeric");
  const now = new Date(clock.now());
  const session: StoredSession = {
    ...initialOf(sessionColumns),
    id,
    tokenHash: hashToken(id),
    tokenSealed: "sealed",
    userId: user.id,
    expiresAt: new Date(clock.now() + 86_400_000),
    createdAt: now,
    updatedAt: now,
    ipAddress: "",
    userAgent: "",
    activeOrganizationId,
  };
  return { user, session };
};
/** Returns the organization of a session in each store. */
const organizationsOf = async ({ tokenHash }: StoredSession) => {
  const found = await Promise.all([cache, rows].map((store) => store.find(tokenHash)));
  return found.map((one) => one?.session.activeOrganizationId);
};

test("leaves the cache with the organization of the row after two concurrent choices, in any order", async () => {
  const { user, session } = await propose();
  const both = createDoubleSessionStore(cache, rows);
  await both.insert(session, user, audit);
  let isHeldUp = false;
  const late = createDoubleSessionStore(
    {
      ...cache,
      chooseOrganization: async (chosen, organizationId) => {
        if (!isHeldUp) await both.chooseOrganization(session, "second");
        isHeldUp = true;
        return cache.chooseOrganization(chosen, organizationId);
      },
    },
    rows,
  );
  await late.chooseOrganization(session, "first");
  expect(await organizationsOf(session)).toEqual(["second", "second"]);
});

test("forgets an organization in both stores while a session is being started", async () => {
  const { user, session } = await propose("o");
  const both = createDoubleSessionStore(cache, rows);
  const interrupted = createDoubleSessionStore(cache, {
    ...rows,
    insert: async (...started) => {
      const isStarted = await rows.insert(...started);
      await both.forgetOrganization(user.id, "o");
      return isStarted;
    },
  });
  expect(await interrupted.insert(session, user, audit)).toBe(true);
  expect(await organizationsOf(session)).toEqual([null, null]);
});

test("forgets an organization that a crash left only in the cache with the next event", async () => {
  const { user, session } = await propose("o");
  const both = createDoubleSessionStore(cache, rows);
  await both.insert(session, user, audit);
  await rows.forgetOrganization(user.id, "o");
  expect(await organizationsOf(session)).toEqual(["o", null]);
  expect(await both.listOrganizationHolders([user.id], "o")).toEqual([user.id]);
  expect(await both.forgetOrganization(user.id, "o")).toBe(true);
  expect(await organizationsOf(session)).toEqual([null, null]);
});

test("does not cache a session that is revoked while it is imported", async () => {
  const { user, session } = await propose();
  const slow: SessionStore = {
    ...cache,
    insertImported: async (sessions, record) => {
      await rows.revoke(session, audit);
      await cache.insertImported(sessions, record);
    },
  };
  const both = createDoubleSessionStore(slow, rows);
  await both.insertImported([{ session, user }], async () => {});
  expect(await cache.find(session.tokenHash)).toBeUndefined();
  expect(await both.find(session.tokenHash)).toBeUndefined();
});

test("does not overwrite later changes when a session is imported again", async () => {
  const { user, session } = await propose();
  const longer = new Date(session.expiresAt.getTime() + 1_000);
  await cache.insertImported([{ session, user }], async () => {});
  const { updatedAt, tokenSealed } = session;
  expect(
    await cache.extend(session.tokenHash, session, { expiresAt: longer, updatedAt, tokenSealed }),
  ).toBe(true);
  await cache.insertImported([{ session, user }], async () => {});
  expect((await cache.find(session.tokenHash))?.session.expiresAt).toEqual(longer);
});

/** Attack: a session that was revoked here is imported again, from a copy in the source database. */
test("does not cache a session that the rows do not import", async () => {
  const { user, session } = await propose();
  const kept = createPostgresSessionStore({
    clock: clock.now,
    recordEnd: async () => {},
    recordChange: async () => {},
    db,
    keepRevoked: true,
  });
  const both = createDoubleSessionStore(cache, kept);
  const importAgain = async () => {
    let begun: string[] = [];
    await both.insertImported([{ session, user }], async (_, hashes) => {
      begun = [...hashes];
    });
    return begun.length;
  };
  expect(await importAgain()).toBe(1);
  expect(await both.find(session.tokenHash)).toBeDefined();
  await both.revoke(session, audit);
  expect(await importAgain()).toBe(0);
  expect(await both.find(session.tokenHash)).toBeUndefined();
});
