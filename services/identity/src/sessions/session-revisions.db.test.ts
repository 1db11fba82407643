import { hashToken } from "@latchkey/crypto";
import { createTestClock, expectNoLeaks, newCaller } from "@latchkey/testkit";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import {
  connectIdentity,
  createTestDeps,
  identityConfig,
  seedUser,
} from "../db/test-identity.fixture.ts";
import { createSession } from "./create-session.ts";
import { createTestStore, openSessionStores } from "./store/session-stores.fixture.ts";
import type { SessionStore } from "./store/session-store.ts";

expectNoLeaks("file");

const clock = createTestClock();
const caller = newCaller("revokeSession");
const audit = {
  actor: { kind: "system" },
  subject: { kind: "session", id: "s" },
  action: "session.revoked",
  caller,
} as const;

const stores = await openSessionStores();
const { db } = stores;

const variants = [
  { name: "rows", usesRedis: false },
  { name: "Redis", usesRedis: true },
];

describe.each(variants)("with sessions in $name", ({ name, usesRedis }) => {
  const config = identityConfig({ session: { cookieCache: { enabled: true } } });
  const createStore = (on = db): SessionStore =>
    createTestStore(
      { ...stores, db: on },
      { name, config: config.session, usesRedis, clock: clock.now },
    );
  const store = createStore();

  /** Creates a user with two sessions. Their session cookie caches have the user revision of `user`. */
  const arrange = async () => {
    const user = await seedUser(db);
    const deps = { ...createTestDeps({ config, db, clock: clock.now }), sessions: store };
    const start = async () => {
      const created = await createSession(deps, user, {
        caller,
        remember: true,
        proof: { methods: ["password"] },
      });
      return { tokenHash: hashToken(created?.token ?? ""), userId: user.id };
    };
    return { user, ended: await start(), kept: await start() };
  };
  const revisionOf = async (userId: string) => {
    const row = await db
      .selectFrom("userEpoch")
      .select("epoch")
      .where("userId", "=", userId)
      .executeTakeFirst();
    return row?.epoch ?? 0;
  };

  test.each<[string, (ended: { tokenHash: Buffer; userId: string }, kept: Buffer) => unknown]>([
    ["one", (ended) => store.revoke(ended, audit)],
    ["all but one", ({ userId }, kept) => store.revokeAll(userId, kept, audit)],
  ])(
    "revoking %s invalidates cached sessions, and remaining sessions can be cached again",
    async (_of, end) => {
      const { user, ended, kept: otherSession } = await arrange();
      await end(ended, otherSession.tokenHash);
      const epoch = await revisionOf(user.id);
      expect(epoch).toBeGreaterThan(user.revision);
      expect((await store.find(otherSession.tokenHash))?.user.revision).toBe(epoch);
    },
  );

  test("keeps a session if the new user revision cannot be stored", async () => {
    const { ended } = await arrange();
    const away = connectIdentity("postgres://127.0.0.1:1/nobody-listens");
    await expect(createStore(away).revoke(ended, audit)).rejects.toThrow();
    await away.destroy();
    expect(await store.find(ended.tokenHash)).toBeDefined();
  });

  /** Attack: reuse of the cached session of a revocation that failed halfway. */
  test("ends no session while its cached session is still valid, whatever fails in between", async () => {
    const { user, ended } = await arrange();
    await sql`alter table identity.audit rename to audit_away`.execute(db);
    await expect(store.revoke(ended, audit)).rejects.toThrow();
    await sql`alter table identity.audit_away rename to audit`.execute(db);
    const lives = (await store.find(ended.tokenHash)) !== undefined;
    expect(lives || (await revisionOf(user.id)) > user.revision).toBe(true);
  });
});
