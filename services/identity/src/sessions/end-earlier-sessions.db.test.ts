import type { Caller, Event } from "@latchkey/contracts";
import { hashToken } from "@latchkey/crypto";
import { createRedisKeys } from "@latchkey/service-kit";
import {
  createTestClock,
  createTestRedis,
  expectNoLeaks,
  type TestDatabase,
  type TestRedis,
  until,
} from "@latchkey/testkit";
import type { Kysely } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import type { Tables } from "../db/tables.ts";
import {
  connectIdentity,
  createIdentityDatabase,
  createTestDeps,
  identityConfig,
  newUser,
} from "../db/test-identity.fixture.ts";
import { insertUser } from "../users/queries.ts";
import type { UserRow } from "../users/user-row.ts";
import { chooseSessionStore } from "./store/choose-session-store.ts";
import { createSession } from "./create-session.ts";
import { endEarlierSessions } from "./end-earlier-sessions.ts";
import type { SessionStore } from "./store/session-store.ts";

expectNoLeaks("file");

const clock = createTestClock();
const caller: Caller = {
  requestId: "request-1",
  operation: "signInEmail",
  baseUrl: "http://localhost/api/auth",
  address: "192.0.2.1",
  userAgent: "A browser/1.0",
};

let database: TestDatabase;
let redis: TestRedis;
let db: Kysely<Tables>;
beforeAll(async () => {
  [database, redis] = await Promise.all([
    createIdentityDatabase(),
    createTestRedis(inject("redisUrl")),
  ]);
  db = connectIdentity(database.url);
});
afterAll(async () => {
  await db.destroy();
  await redis.close();
  await database.drop();
});

const variants = [
  { name: "rows", usesRedis: false, both: false },
  { name: "Redis", usesRedis: true, both: false },
  { name: "both", usesRedis: true, both: true },
];

describe.each(variants)("with sessions in $name", ({ name, usesRedis, both }) => {
  const config = identityConfig({ session: { storeSessionInDatabase: both } });
  const bare = () => createTestDeps({ config, db, clock: clock.now });
  let sessions: SessionStore;
  let user: UserRow;
  beforeAll(async () => {
    sessions = chooseSessionStore({
      ...bare(),
      config: config.session,
      redis: usesRedis ? redis.client : undefined,
      keyOf: createRedisKeys(`${redis.keyPrefix}${name}`),
    });
    // The store knows which Redis server it uses only a moment after the start.
    await until(async () => (await sessions.find(hashToken("nobody"))) === undefined);
  });
  beforeEach(async () => {
    const inserted = await insertUser(db, newUser());
    if (!inserted) throw new Error("the user was not created");
    user = inserted;
  });

  const start = async (): Promise<Buffer> => {
    const created = await createSession({ ...bare(), sessions }, user, { caller, remember: true });
    if (!created) throw new Error("the session was not created");
    return hashToken(created.token);
  };
  const living = async (...hashes: Buffer[]) =>
    (await Promise.all(hashes.map((hash) => sessions.find(hash)))).map(Boolean);
  const demand = (exceptHash?: Buffer): Event<"session.revoked-all"> => ({
    id: "event",
    name: "session.revoked-all",
    version: 1,
    occurredAt: new Date(clock.now()).toISOString(),
    data: { userId: user.id, ...(exceptHash && { exceptHash: exceptHash.toString("hex") }) },
  });
  const deliver = (event: Event<"session.revoked-all">) =>
    endEarlierSessions({ sessions, clock: clock.now }, event);

  test("ends the earlier sessions but a spared one, delivered twice", async () => {
    const [one, other, spared] = [await start(), await start(), await start()];
    const event = demand(spared);
    for (const late of [event, event]) {
      await deliver(late);
      expect(await living(one, other, spared)).toEqual([false, false, true]);
    }
    await deliver(demand());
    expect(await living(spared)).toEqual([false]);
  });

  // A user with a new password signs in at once, and the event may be delivered much later, or again.
  test("keeps a session that was started since, however late the event", async () => {
    const before = await start();
    const event = demand();
    clock.advance(1);
    const since = await start();
    for (const late of [event, event]) {
      clock.advance(60_000);
      await deliver(late);
      expect(await living(before, since)).toEqual([false, true]);
    }
  });

  test("writes no audit row and no new user revision if there is no session to end", async () => {
    await start();
    const event = demand();
    await deliver(event);
    const look = async () => ({
      audit: await db.selectFrom("audit").select("id").execute(),
      epoch: await db.selectFrom("userEpoch").selectAll().where("userId", "=", user.id).execute(),
    });
    const after = await look();
    await deliver(event);
    expect(await look()).toEqual(after);
  });
});
