import type { FactName } from "@latchkey/contracts";
import { createSecretRing, hashToken, randomToken, unseal } from "@latchkey/crypto";
import type { AuditEntry } from "@latchkey/service-kit/audit";
import { readSettings } from "@latchkey/service-kit/config";
import { initialOf } from "@latchkey/service-kit/database";
import { createTestClock, expectNoLeaks, newCaller, testSecret } from "@latchkey/testkit";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { readIdentityConfig } from "../../config.ts";
import { schema } from "../../db/schema.ts";
import { sessionColumns } from "../../db/tables.ts";
import { createTestDeps, seedSession, seedUser } from "../../db/test-identity.fixture.ts";
import type { UserRow } from "../../users/user-row.ts";
import { sessionTokenPurpose } from "../session-rules.ts";
import { resolveSession } from "../resolve-session.ts";
import { createTestStore, keyPrefixOf, openSessionStores } from "./session-stores.fixture.ts";
import type { StoredSession } from "./session-store.ts";
import { sweepSessions } from "./postgres-session-store.ts";

expectNoLeaks("file");

const secret = "a secret for tests, and for nothing else";
const dayMs = 86_400_000;
const callers = 16;
const clock = createTestClock();
const now = () => new Date(clock.now());
const newId = () => randomToken(32, "alphanumeric");
const hex = (hash: Buffer) => hash.toString("hex");
const race = <T>(work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: callers }, (_, index) => work(index)));

const caller = newCaller("signInEmail");

const stores = await openSessionStores();
const { db } = stores;

const variants = [
  { name: "rows", usesRedis: false, preserve: false },
  { name: "rows, revoked ones kept", usesRedis: false, preserve: true },
  { name: "Redis", usesRedis: true, preserve: false },
];

describe.each(variants)("with sessions in $name", ({ name, usesRedis, preserve }) => {
  const config = readIdentityConfig(
    readSettings(
      {
        secret: [secret],
        databaseUrl: "postgres://localhost/any",
        session: { preserveSessionInDatabase: preserve },
      },
      {},
    ),
  );
  const createStore = () =>
    createTestStore(stores, { name, config: config.session, usesRedis, clock: clock.now });
  const store = createStore();

  const createUser = async (): Promise<UserRow> => {
    const id = newId();
    const created = await seedUser(db, { id, createdAt: now() });
    return created;
  };

  /** Starts a session as a sign-in does. */
  const start = async (user: UserRow, remember = true) => {
    const deps = { ...createTestDeps({ config, db, clock: clock.now }), sessions: store };
    const created = await seedSession(deps, user, { caller, remember });
    const { token } = created;
    const tokenHash = hashToken(token);
    const stored = await store.find(tokenHash);
    if (!stored) throw new Error("the session was not found");
    return { token, tokenHash, session: stored.session };
  };

  const auditOf = (subjectId: string, action: FactName = "session.revoked"): AuditEntry => ({
    actor: { kind: "system" },
    subject: { kind: "session", id: subjectId },
    action,
    caller,
  });
  const audited = async (subjectId: string, action: string): Promise<number> => {
    const rows = await db
      .selectFrom("audit")
      .select("id")
      .where("subjectId", "=", subjectId)
      .where("action", "=", action)
      .execute();
    return rows.length;
  };
  const revoke = (session: StoredSession) => store.revoke(session, auditOf(session.id));
  const revokeAll = (user: UserRow, except?: Buffer) =>
    store.revokeAll(user.id, except, auditOf(user.id, "session.revoked-all"));
  const listed = async (user: UserRow, limit = 100) =>
    (await store.list(user.id, now(), limit)).map((session) => session.id);
  const later = (session: StoredSession) => ({
    expiresAt: new Date(session.expiresAt.getTime() + dayMs),
    updatedAt: new Date(session.updatedAt.getTime() + 1),
    tokenSealed: `${session.tokenSealed}, anew`,
  });
  const rowsOf = (user: UserRow) =>
    db.selectFrom("session").selectAll().where("userId", "=", user.id).execute();
  /** Returns every Redis key of this variant. */
  const keysOf = () => stores.redis.keys(`${keyPrefixOf(stores, name)}:*`);

  test("a session is found by the hash of its token, with its user, as it was inserted", async () => {
    const user = await createUser();
    const token = newId();
    const session: StoredSession = {
      ...initialOf(sessionColumns),
      id: newId(),
      tokenHash: hashToken(token),
      tokenSealed: "sealed",
      userId: user.id,
      expiresAt: new Date(clock.now() + 7 * dayMs),
      createdAt: now(),
      updatedAt: now(),
      ipAddress: "192.0.2.1",
      userAgent: "A browser/1.0",
      impersonatedBy: "an-admin",
      activeOrganizationId: "an-organization",
      remembered: false,
      extra: { plan: "b" },
    };
    await store.insert(session, user, auditOf(session.id, "session.created"));
    expect(await store.find(hashToken(token))).toStrictEqual({ session, user });
  });

  /** Attack: receiving the session of a concurrent request. */
  test("concurrent look-ups each return the session of their own token", async () => {
    const users = await race(createUser);
    const started = await Promise.all(users.map((user) => start(user)));
    const ended = await start(await createUser());
    await revoke(ended.session);
    const hashes = [...started, ended].map(({ tokenHash }) => tokenHash);
    const results = await Promise.all(hashes.map((tokenHash) => store.find(tokenHash)));
    const expected = started.map(({ session: { id, userId } }) => ({ id, userId, user: userId }));
    const shown = results.map(
      (one) => one && { id: one.session.id, userId: one.session.userId, user: one.user.id },
    );
    expect(shown).toEqual([...expected, undefined]);
  });

  /** Returns a session that began in another system and is not stored yet. */
  const propose = async (user: UserRow): Promise<StoredSession> => {
    const { session } = await start(user);
    return { ...session, id: newId(), tokenHash: hashToken(newId()) };
  };
  /** Imports a session. Returns true if the store reports it as added. */
  const importSession = async (session: StoredSession, user: UserRow): Promise<boolean> => {
    let isAdded = false;
    await store.insertImported([{ session, user }], async (_, hashes) => {
      isAdded = hashes.has(hex(session.tokenHash));
    });
    return isAdded;
  };

  test("a repeated import keeps later changes", async () => {
    const user = await createUser();
    const session = await propose(user);
    expect(await importSession(session, user)).toBe(true);
    const to = later(session);
    expect(await store.extend(session.tokenHash, session, to)).toBe(true);
    expect(await store.chooseOrganization(session, { organizationId: "an-organization" })).toBe(
      true,
    );
    await importSession(session, user);
    expect((await store.find(session.tokenHash))?.session).toEqual({
      ...session,
      ...to,
      activeOrganizationId: "an-organization",
    });
  });

  /** Attack: a session that was revoked here is imported again, from a copy in the source database. */
  if (preserve)
    test("a revoked session that stays as a row is not imported again", async () => {
      const user = await createUser();
      const session = await propose(user);
      expect(await importSession(session, user)).toBe(true);
      expect(await revoke(session)).toBe(true);
      expect(await importSession(session, user)).toBe(false);
      expect(await store.find(session.tokenHash)).toBeUndefined();
    });

  test("an unknown hash finds nothing", async () => {
    expect(await store.find(hashToken("unknown"))).toBeUndefined();
  });

  test("an expired session is not listed, although it may still be found", async () => {
    const user = await createUser();
    const short = await start(user, false);
    const long = await start(user);
    clock.advance(dayMs + 1);
    expect((await store.find(short.tokenHash))?.session.id).toBe(short.session.id);
    expect(await listed(user)).toEqual([long.session.id]);
  });

  test("a session is not listed at the moment of its expiry", async () => {
    const user = await createUser();
    await start(user, false);
    clock.advance(dayMs);
    expect(await listed(user)).toEqual([]);
  });

  test("an expired session is deleted", async () => {
    const user = await createUser();
    const { tokenHash } = await start(user, false);
    clock.advance(dayMs + 1);
    await store.deleteExpired(tokenHash, now());
    expect(await store.find(tokenHash)).toBeUndefined();
    expect(await rowsOf(user)).toEqual([]);
  });

  // A request that saw the session expire must not end it after another one has extended it.
  test("a session that has not expired is not deleted as expired", async () => {
    const user = await createUser();
    const { tokenHash, session } = await start(user);
    await store.deleteExpired(tokenHash, now());
    expect((await store.find(tokenHash))?.session).toEqual(session);
    expect(await listed(user)).toEqual([session.id]);
  });

  test("sessions are listed newest first, up to the limit", async () => {
    const user = await createUser();
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      ids.unshift((await start(user, index % 2 === 0)).session.id);
      clock.advance(1);
    }
    expect(await listed(user)).toEqual(ids);
    expect(await listed(user, 3)).toEqual(ids.slice(0, 3));
  });

  test("the list contains only a user's own sessions", async () => {
    const [user, other] = [await createUser(), await createUser()];
    const { session } = await start(user);
    await start(other);
    expect(await listed(user)).toEqual([session.id]);
  });

  test("a revoked session is refused and unlisted at once, while the others stay", async () => {
    const user = await createUser();
    const [ended, other] = [await start(user), await start(user)];
    expect(await revoke(ended.session)).toBe(true);
    expect(await store.find(ended.tokenHash)).toBeUndefined();
    expect(await store.find(other.tokenHash)).toBeDefined();
    expect(await listed(user)).toEqual([other.session.id]);
  });

  test("16 concurrent revocations end a session once, with one audit row", async () => {
    const user = await createUser();
    for (let round = 0; round < 8; round += 1) {
      const { session } = await start(user);
      const ended = await race(() => revoke(session));
      expect(ended.filter(Boolean)).toHaveLength(1);
      expect(await audited(session.id, "session.revoked")).toBe(1);
    }
  });

  test("revoking a missing session returns false and writes no audit row", async () => {
    const user = await createUser();
    const { session } = await start(user);
    await revoke(session);
    const again = auditOf(session.id, "session.replaced");
    expect(await store.revoke(session, again)).toBe(false);
    expect(await audited(session.id, "session.replaced")).toBe(0);
  });

  test("revoking all ends every session of the user and of no other user, with one audit row", async () => {
    const [user, other] = [await createUser(), await createUser()];
    const mine = [await start(user), await start(user, false)];
    const theirs = await start(other);
    await revokeAll(user);
    expect(await Promise.all(mine.map(({ tokenHash }) => store.find(tokenHash)))).toEqual([
      undefined,
      undefined,
    ]);
    expect(await listed(user)).toEqual([]);
    expect(await store.find(theirs.tokenHash)).toBeDefined();
    expect(await audited(user.id, "session.revoked-all")).toBe(1);
  });

  test("revoking all but one keeps only that one", async () => {
    const user = await createUser();
    const [other, ended] = [await start(user), await start(user)];
    await revokeAll(user, other.tokenHash);
    expect(await store.find(other.tokenHash)).toBeDefined();
    expect(await store.find(ended.tokenHash)).toBeUndefined();
    expect(await listed(user)).toEqual([other.session.id]);
  });

  test("a session started after revoking all is live", async () => {
    const user = await createUser();
    await start(user);
    await revokeAll(user);
    const { tokenHash, session } = await start(user);
    expect(await store.find(tokenHash)).toBeDefined();
    expect(await listed(user)).toEqual([session.id]);
  });

  test("an extension moves the expiry and is visible to the next find and list", async () => {
    const user = await createUser();
    const { tokenHash, session } = await start(user);
    const to = later(session);
    expect(await store.extend(tokenHash, session, to)).toBe(true);
    expect((await store.find(tokenHash))?.session).toEqual({ ...session, ...to });
    expect(await store.list(user.id, now(), 10)).toEqual([{ ...session, ...to }]);
  });

  test("an extended session outlives its first expiry", async () => {
    const user = await createUser();
    const { tokenHash, session } = await start(user, false);
    await store.extend(tokenHash, session, later(session));
    clock.advance(dayMs + 1);
    expect(await listed(user)).toEqual([session.id]);
    await revokeAll(user);
    expect(await store.find(tokenHash)).toBeUndefined();
  });

  test("a session in use stays listed when the secret that sealed its first token is removed", async () => {
    const user = await createUser();
    const { token, session } = await start(user);
    await start(user);
    clock.advance(2 * dayMs);
    const deps = { ...createTestDeps({ config, db, clock: clock.now }), sessions: store };
    const used = { ...caller, sessionToken: token };
    const ring = createSecretRing(["the secret after it", testSecret]);
    const extended = await resolveSession({ ...deps, ring }, used, { disableRefresh: false });
    expect(extended?.effect).toMatchObject({ kind: "issue" });
    const newRing = createSecretRing(["the secret after it"]);
    const opened = (await store.list(user.id, now(), 10)).map(({ id, tokenSealed }) => [
      id,
      unseal(newRing, sessionTokenPurpose, tokenSealed),
    ]);
    expect(opened).toContainEqual([session.id, token]);
    expect(opened.filter(([, found]) => found === undefined)).toHaveLength(1);
  });

  test("exactly one of 16 concurrent extensions of the same state succeeds", async () => {
    const user = await createUser();
    const { tokenHash, session } = await start(user);
    const expiries = Array.from(
      { length: callers },
      (_, index) => new Date(clock.now() + (8 + index) * dayMs),
    );
    const done = await race((index) =>
      store.extend(tokenHash, session, {
        ...later(session),
        expiresAt: expiries[index] ?? now(),
      }),
    );
    expect(done.filter(Boolean)).toHaveLength(1);
    expect((await store.find(tokenHash))?.session.expiresAt).toEqual(expiries[done.indexOf(true)]);
  });

  test("a session that was extended since it was read is not extended again", async () => {
    const user = await createUser();
    const { tokenHash, session } = await start(user);
    const to = later(session);
    await store.extend(tokenHash, session, to);
    expect(await store.extend(tokenHash, session, later(to as StoredSession))).toBe(false);
    expect((await store.find(tokenHash))?.session).toMatchObject(to);
  });

  test("a further authentication is recorded, and an extension by an earlier reader keeps it", async () => {
    const user = await createUser();
    const { tokenHash, session } = await start(user);
    expect(session).toMatchObject({ methods: "password", secondFactorAt: null });
    const change = {
      authenticatedAt: now(),
      secondFactorAt: now(),
      methods: "password,totp",
    };
    expect(await store.changeAuthentication(session, change)).toBe(true);
    expect(await store.extend(tokenHash, session, later(session))).toBe(true);
    expect((await store.find(tokenHash))?.session).toMatchObject(change);
    expect(await store.list(user.id, now(), 10)).toMatchObject([change]);
  });

  test("no authentication is recorded in a session that has ended", async () => {
    const user = await createUser();
    const { tokenHash, session } = await start(user);
    await revoke(session);
    const change = { authenticatedAt: now(), secondFactorAt: null, methods: "totp" };
    expect(await store.changeAuthentication(session, change)).toBe(false);
    expect(await store.find(tokenHash)).toBeUndefined();
  });

  // A stolen session must not be revived by a use during its revocation.
  test("an extension does not revive a revoked session", async () => {
    const user = await createUser();
    const { tokenHash, session } = await start(user);
    await revoke(session);
    const done = await race(() => store.extend(tokenHash, session, later(session)));
    expect(done).toEqual(Array.from({ length: callers }, () => false));
    expect(await store.find(tokenHash)).toBeUndefined();
    expect(await listed(user)).toEqual([]);
  });

  test("a session revoked during 16 extensions stays revoked", async () => {
    const user = await createUser();
    const { tokenHash, session } = await start(user);
    await Promise.all([
      race(() => store.extend(tokenHash, session, later(session))),
      revoke(session),
    ]);
    expect(await store.find(tokenHash)).toBeUndefined();
    expect(await listed(user)).toEqual([]);
  });

  /** Changes the user as a feature does: first the row, then the snapshots. */
  const rename = async (user: UserRow, text: string): Promise<UserRow> => {
    const revision = user.revision + 1;
    await db
      .updateTable("user")
      .set({ name: text, revision })
      .where("id", "=", user.id)
      .where("revision", "<", revision)
      .execute();
    return { ...user, name: text, revision };
  };

  test("a change of the user is visible to the next find of each session", async () => {
    const user = await createUser();
    const sessions = [await start(user), await start(user, false)];
    const renamed = await rename(user, "Grace");
    await store.renewUser(renamed);
    for (const { tokenHash, session } of sessions)
      expect(await store.find(tokenHash)).toEqual({ session, user: renamed });
  });

  test("an older user snapshot, late or repeated, never replaces a newer one", async () => {
    const user = await createUser();
    const { tokenHash } = await start(user);
    const second = await rename(user, "Second");
    const third = await rename(second, "Third");
    for (const copy of [third, second, user, third]) await store.renewUser(copy);
    expect((await store.find(tokenHash))?.user.name).toBe("Third");
  });

  test("the newest of 16 changes of the user is visible, delivered in any order", async () => {
    const user = await createUser();
    const { tokenHash } = await start(user);
    const copies: UserRow[] = [user];
    for (let index = 1; index < callers; index += 1)
      copies.push(await rename(copies[index - 1] ?? user, `Name ${index}`));
    await race((index) => store.renewUser(copies[(index * 7) % callers] ?? user));
    expect((await store.find(tokenHash))?.user.name).toBe(`Name ${callers - 1}`);
  });

  test("renewing a user revives no revoked session", async () => {
    const user = await createUser();
    const { tokenHash, session } = await start(user);
    await revoke(session);
    await store.renewUser(await rename(user, "Grace"));
    expect(await store.find(tokenHash)).toBeUndefined();
  });

  test("the start of a session is audited once, with its origin", async () => {
    const user = await createUser();
    const { session } = await start(user);
    const rows = await db
      .selectFrom("audit")
      .selectAll()
      .where("subjectId", "=", session.id)
      .execute();
    expect(rows).toEqual([
      expect.objectContaining({
        actorKind: "user",
        actorId: user.id,
        subjectKind: "session",
        action: "session.created",
        outcome: "success",
        address: "192.0.2.1",
        requestId: caller.requestId,
      }),
    ]);
  });

  // A copy of a database or a Redis must not contain anything usable to sign in.
  test("no Redis value and no row contains a raw token", async () => {
    const user = await createUser();
    const { token, tokenHash, session } = await start(user);
    await store.extend(tokenHash, session, later(session));
    await store.renewUser(await rename(user, "Grace"));
    const ended = await start(user);
    await revoke(ended.session);
    const dump = [...(await dumpRows()), ...(await dumpRedis(await keysOf()))].join("\n");
    expect(dump).toContain(user.id);
    if (usesRedis) expect(dump).toContain(hex(tokenHash));
    for (const raw of [token, ended.token])
      for (const encoding of ["latin1", "hex", "base64", "base64url"] as const)
        expect(dump).not.toContain(Buffer.from(raw).toString(encoding).replace(/=+$/, ""));
  });

  if (usesRedis)
    test("every key in Redis has an expiry", async () => {
      const user = await createUser();
      const { tokenHash, session } = await start(user);
      await store.extend(tokenHash, session, later(session));
      await store.renewUser(await rename(user, "Grace"));
      await revoke((await start(user)).session);
      const keys = await keysOf();
      expect(keys.length).toBeGreaterThan(0);
      const lifetimes = await Promise.all(keys.map((key) => stores.redis.client.pttl(key)));
      expect(lifetimes.filter((lifetime) => lifetime <= 0)).toEqual([]);
    });

  if (usesRedis)
    test("nothing of a session is written to the rows", async () => {
      const user = await createUser();
      await start(user);
      expect(await rowsOf(user)).toEqual([]);
    });

  if (preserve)
    test("revoked rows stay, marked, and open nothing", async () => {
      const user = await createUser();
      const [one, other] = [await start(user), await start(user)];
      clock.advance(1_000);
      await revoke(one.session);
      await revokeAll(user);
      const rows = await rowsOf(user);
      expect(rows.map((row) => row.id).toSorted()).toEqual(
        [one.session.id, other.session.id].toSorted(),
      );
      expect(rows.map((row) => row.revokedAt)).toEqual([now(), now()]);
      for (const { tokenHash, session } of [one, other]) {
        expect(await store.find(tokenHash)).toBeUndefined();
        expect(await store.extend(tokenHash, session, later(session))).toBe(false);
      }
      expect(await listed(user)).toEqual([]);
    });

  if (preserve)
    test("a session revoked twice keeps the time of the first revocation", async () => {
      const user = await createUser();
      const { session } = await start(user);
      const revokedAt = now();
      await revoke(session);
      clock.advance(1_000);
      await revoke(session);
      await revokeAll(user);
      expect((await rowsOf(user)).map((row) => row.revokedAt)).toEqual([revokedAt]);
    });

  if (!usesRedis && !preserve)
    test("a revoked session leaves no row", async () => {
      const user = await createUser();
      await revoke((await start(user)).session);
      await start(user);
      await revokeAll(user);
      expect(await rowsOf(user)).toEqual([]);
    });

  if (!usesRedis)
    test("the sweep deletes expired rows and no others", async () => {
      const user = await createUser();
      await start(user, false);
      const long = await start(user);
      clock.advance(dayMs + 1);
      expect(await sweepSessions({ clock: clock.now, db })).toBeGreaterThan(0);
      expect((await rowsOf(user)).map((row) => row.id)).toEqual([long.session.id]);
      expect(await store.find(long.tokenHash)).toBeDefined();
    });

  test("a newly opened store finds the sessions of the previous one", async () => {
    const user = await createUser();
    const { tokenHash, session } = await start(user);
    const anew = createStore();
    expect((await anew.find(tokenHash))?.session).toEqual(session);
  });
});

/** Returns every row of every table of the schema, as text. */
const dumpRows = async (): Promise<string[]> => {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = ${schema}
  `.execute(db);
  expect(tables.length).toBeGreaterThan(3);
  const dumps = await Promise.all(
    tables.map(({ name }) =>
      sql<{ text: string }>`
        select row_to_json(t)::text as text from ${sql.table(`${schema}.${name}`)} t
      `.execute(db),
    ),
  );
  return dumps.flatMap(({ rows }) => rows.map(({ text }) => text));
};

const dumpRedis = async (keys: string[]): Promise<string[]> => {
  const dumps = await Promise.all(
    keys.map(async (key) => {
      const type = await stores.redis.client.type(key);
      if (type === "hash") return JSON.stringify(await stores.redis.client.hgetall(key));
      if (type === "zset") return JSON.stringify(await stores.redis.client.zrange(key, "0", "-1"));
      if (type === "string") return (await stores.redis.client.get(key)) ?? "";
      throw new Error(`The store has a key of a kind that is not looked into: ${type}`);
    }),
  );
  return keys.map((key, index) => `${key} ${dumps[index]}`);
};
