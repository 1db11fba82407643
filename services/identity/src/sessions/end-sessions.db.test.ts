import { createTestStore, openSessionStores } from "./store/session-stores.fixture.ts";
import type { Event } from "@latchkey/contracts";
import { hashToken } from "@latchkey/crypto";
import { createTestClock, expectNoLeaks, newCaller } from "@latchkey/testkit";
import { beforeEach, describe, expect, test } from "vitest";
import {
  createTestDeps,
  identityConfig,
  seedUser,
  seedSession,
} from "../db/test-identity.fixture.ts";
import type { UserRow } from "../users/user-row.ts";
import { endEarlierSessions } from "./end-sessions.ts";

expectNoLeaks("file");

const clock = createTestClock();
const caller = newCaller("signInEmail");

const stores = await openSessionStores();
const { db } = stores;

const variants = [
  { name: "rows", usesRedis: false },
  { name: "Redis", usesRedis: true },
];

describe.each(variants)("with sessions in $name", ({ name, usesRedis }) => {
  const config = identityConfig();
  const bare = () => createTestDeps({ config, db, clock: clock.now });
  const store = { name, config: config.session, usesRedis, clock: clock.now };
  const sessions = createTestStore(stores, store);
  let user: UserRow;
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
    const [one, other, excepted] = [await start(), await start(), await start()];
    const event = demand(excepted);
    for (const late of [event, event]) {
      await deliver(late);
      expect(await living(one, other, excepted)).toEqual([false, false, true]);
    }
    await deliver(demand());
    expect(await living(excepted)).toEqual([false]);
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
