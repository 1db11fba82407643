import { createTestStore, openSessionStores } from "../sessions/store/session-stores.fixture.ts";
import type { Event } from "@latchkey/contracts";
import { hashToken } from "@latchkey/crypto";
import { createTestClock, expectNoLeaks, newCaller } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { consumers } from "../consumers.ts";
import {
  createTestDeps,
  identityConfig,
  seedUser,
  seedSession,
} from "../db/test-identity.fixture.ts";
import type { UserRow } from "../users/user-row.ts";
import { findPassword } from "../access/check-password.ts";
import { type PasswordReplacement, replacePassword } from "./replace-password.ts";

expectNoLeaks("file");

const clock = createTestClock();
const caller = newCaller("resetPassword");

const stores = await openSessionStores();
const { db } = stores;

const variants = [
  { name: "rows only", usesRedis: false },
  { name: "Redis only", usesRedis: true },
];

describe.each(variants)("with $name", ({ name, usesRedis }) => {
  const config = identityConfig();
  const bare = () => createTestDeps({ config, db, clock: clock.now });
  const store = { name, config: config.session, usesRedis, clock: clock.now };
  const sessions = createTestStore(stores, store);
  const createDeps = () => ({ ...bare(), sessions });
  /** A process that dies before it reaches the session store. */
  const createDyingDeps = () => {
    const deps = createDeps();
    const revokeAll = () => Promise.reject(new Error("the process is gone"));
    return { ...deps, sessions: { ...deps.sessions, revokeAll } };
  };
  type TestDeps = ReturnType<typeof createDeps>;

  const createUser = async (deps: TestDeps): Promise<UserRow> => {
    const user = await seedUser(db);
    await replace(deps, user, { passwordHash: "the old hash" });
    return user;
  };
  const replace = (deps: TestDeps, user: UserRow, own: Partial<PasswordReplacement> = {}) =>
    replacePassword(deps, {
      userId: user.id,
      passwordHash: "the new hash",
      ends: "none",
      action: "password.reset",
      actor: { kind: "user", id: user.id },
      caller,
      ...own,
    });
  const start = async (deps: TestDeps, user: UserRow): Promise<Buffer> => {
    const created = await seedSession(deps, user, { caller, remember: true });
    return hashToken(created.token);
  };
  const lives = async (deps: TestDeps, tokenHash: Buffer) =>
    (await deps.sessions.find(tokenHash)) !== undefined;
  const announced = async (user: UserRow): Promise<Event<"session.revoked-all">[]> => {
    const rows = await db
      .selectFrom("outbox")
      .select(["id", "version", "occurredAt", "data"])
      .where("name", "=", "session.revoked-all")
      .where("data", "like", `%${user.id}%`)
      .execute();
    return rows.map(({ id, version, occurredAt, data }) => ({
      id,
      version,
      name: "session.revoked-all",
      occurredAt: occurredAt.toISOString(),
      data: JSON.parse(data) as Event<"session.revoked-all">["data"], // as it was appended
    }));
  };
  const consume = (deps: TestDeps, event: Event<"session.revoked-all">) =>
    consumers["session.revoked-all"](deps, event);
  const revisionOf = async ({ id }: UserRow) =>
    (await db.selectFrom("userEpoch").select("epoch").where("userId", "=", id).executeTakeFirst())
      ?.epoch;

  test("invalidates cached sessions even if the process dies before it reaches the session store", async () => {
    const user = await createUser(createDeps());
    await expect(replace(createDyingDeps(), user, { ends: "all" })).rejects.toThrow("gone");
    expect(await findPassword({ db }, user.id)).toBe("the new hash");
    expect(await revisionOf(user)).toBeGreaterThan(user.revision);
  });

  test("ends the sessions by its event if the process dies before, delivered twice", async () => {
    const deps = createDeps();
    const [user, stranger] = [await createUser(deps), await createUser(deps)];
    const ended = [await start(deps, user), await start(deps, user)];
    const other = await start(deps, stranger);
    await expect(replace(createDyingDeps(), user, { ends: "all" })).rejects.toThrow("gone");
    expect(await lives(deps, ended[0] ?? other)).toBe(true);
    const events = await announced(user);
    expect(events).toHaveLength(1);
    for (const event of [...events, ...events]) {
      await consume(deps, event);
      for (const tokenHash of ended) expect(await lives(deps, tokenHash)).toBe(false);
      expect(await lives(deps, other)).toBe(true);
    }
  });

  test("spares the same session by the event, delivered twice", async () => {
    const deps = createDeps();
    const user = await createUser(deps);
    const [ended, current] = [await start(deps, user), await start(deps, user)];
    const dying = replace(createDyingDeps(), user, {
      ends: { except: current, since: new Date() },
    });
    await expect(dying).rejects.toThrow("gone");
    const events = await announced(user);
    for (const event of [...events, ...events]) {
      await consume(deps, event);
      expect([await lives(deps, ended), await lives(deps, current)]).toEqual([false, true]);
    }
  });

  test("ends sessions at once, and a later delivery ends no others", async () => {
    const deps = createDeps();
    const user = await createUser(deps);
    const [ended, current] = [await start(deps, user), await start(deps, user)];
    expect(await replace(deps, user, { ends: { except: current, since: new Date() } })).toBe(true);
    expect([await lives(deps, ended), await lives(deps, current)]).toEqual([false, true]);
    for (const event of await announced(user)) await consume(deps, event);
    expect(await lives(deps, current)).toBe(true);
  });

  test("publishes no event if no session ends, but invalidates cached sessions", async () => {
    const deps = createDeps();
    const user = await createUser(deps);
    const session = await start(deps, user);
    expect(await replace(deps, user)).toBe(true);
    expect(await announced(user)).toEqual([]);
    expect(await revisionOf(user)).toBeGreaterThan(user.revision);
    expect(await lives(deps, session)).toBe(true);
  });

  test("leaves password, sessions, event and audit unchanged if the transaction fails", async () => {
    const deps = createDeps();
    const user = await createUser(deps);
    const session = await start(deps, user);
    const before = await revisionOf(user);
    const within = () => Promise.reject(new Error("no"));
    const own = { ends: "all", action: "password.changed", within } as const;
    await expect(replace(deps, user, own)).rejects.toThrow("no");
    expect(await findPassword({ db }, user.id)).toBe("the old hash");
    expect([await announced(user), await revisionOf(user)]).toEqual([[], before]);
    expect(await lives(deps, session)).toBe(true);
    const audits = db
      .selectFrom("audit")
      .select("id")
      .where("subjectId", "=", user.id)
      .where("action", "=", "password.changed");
    expect(await audits.execute()).toEqual([]);
  });

  test.each<[string, Partial<PasswordReplacement>]>([
    ["another hash than the stored one", { seen: "another hash" }],
    ["no password, where there is one", { seen: null }],
    ["a deleted user", { userId: "nobody" }],
  ])("rejects a replacement meant for %s, and changes nothing", async (_case, own) => {
    const deps = createDeps();
    const user = await createUser(deps);
    const session = await start(deps, user);
    expect(await replace(deps, user, { ends: "all", ...own })).toBe(false);
    expect(await findPassword({ db }, user.id)).toBe("the old hash");
    expect(await announced(user)).toEqual([]);
    expect(await lives(deps, session)).toBe(true);
  });
});
