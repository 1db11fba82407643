import { createTestStore, openSessionStores } from "./store/session-stores.fixture.ts";
import type { Event } from "@latchkey/contracts";
import { hashToken } from "@latchkey/crypto";
import { createTestClock, expectNoLeaks, newCaller } from "@latchkey/testkit";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  createTestDeps,
  identityConfig,
  seedUser,
  seedSession,
  untilAnswering,
} from "../db/test-identity.fixture.ts";
import type { UserRow } from "../users/user-row.ts";
import { endEarlierSessions } from "./end-earlier-sessions.ts";
import type { SessionStore } from "./store/session-store.ts";

expectNoLeaks("file");

const clock = createTestClock();
const caller = newCaller("signInEmail");

const stores = await openSessionStores();
const { db } = stores;

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
    const store = { name, config: config.session, usesRedis, clock: clock.now };
    sessions = createTestStore(stores, store);
    await untilAnswering(sessions);
  });
  beforeEach(async () => {
    const inserted = await seedUser(db);
    user = inserted;
  });

  const start = async (): Promise<Buffer> => {
    const created = await seedSession({ ...bare(), sessions }, user, { caller, remember: true });
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
