import { hashToken } from "@latchkey/crypto";
import { createTestClock, expectNoLeaks, newCaller } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import {
  connectIdentity,
  createTestDeps,
  identityConfig,
  seedUser,
} from "../db/test-identity.fixture.ts";
import type { UserRow } from "../users/user-row.ts";
import { createSession } from "./create-session.ts";
import { createTestStore, openSessionStores } from "./store/session-stores.fixture.ts";
import type { SessionStore } from "./store/session-store.ts";

expectNoLeaks("file");

const clock = createTestClock();
const callers = 16;
const caller = newCaller("chooseOrganization");

const stores = await openSessionStores();
const { db } = stores;

const variants = [
  { name: "rows", usesRedis: false, preserve: false },
  { name: "rows, revoked ones kept", usesRedis: false, preserve: true },
  { name: "Redis", usesRedis: true, preserve: false },
];

describe.each(variants)("with sessions in $name", ({ name, usesRedis, preserve }) => {
  const session = {
    cookieCache: { enabled: true },
    preserveSessionInDatabase: preserve,
  };
  const config = identityConfig({ session });
  const createStore = (on = db): SessionStore =>
    createTestStore(
      { ...stores, db: on },
      { name, config: config.session, usesRedis, clock: clock.now },
    );
  const store = createStore();

  const register = async (): Promise<UserRow> => {
    const user = await seedUser(db);
    return user;
  };
  const start = async (user: UserRow, before?: () => { data: object }) => {
    const hooks = { session: { create: { before } } };
    const used = before ? identityConfig({ session, databaseHooks: hooks }) : config;
    const deps = createTestDeps({ config: used, db, clock: clock.now });
    const created = await createSession({ ...deps, sessions: store }, user, {
      caller,
      remember: true,
      proof: { methods: ["password"] },
    });
    return { tokenHash: hashToken(created?.token ?? ""), userId: user.id };
  };
  type Started = Awaited<ReturnType<typeof start>>;
  const choose = (started: Started, organizationId: string | null, teamId?: string) =>
    store.chooseOrganization(started, organizationId ? { organizationId, teamId } : null, caller);
  const organizationOf = async ({ tokenHash }: Started) =>
    (await store.find(tokenHash))?.session.activeOrganizationId;
  const placeOf = async ({ tokenHash }: Started) => {
    const { activeOrganizationId, activeTeamId } = (await store.find(tokenHash))?.session ?? {};
    return [activeOrganizationId, activeTeamId];
  };
  const listed = async ({ userId, tokenHash }: Started) =>
    (await store.list(userId, new Date(clock.now()), 100)).find((one) =>
      one.tokenHash.equals(tokenHash),
    )?.activeOrganizationId;
  const revisionOf = async (userId: string) => {
    const row = await db
      .selectFrom("userEpoch")
      .select("epoch")
      .where("userId", "=", userId)
      .executeTakeFirst();
    return row?.epoch ?? 0;
  };

  test("starts a session without an organization, sets the chosen one, and clears it", async () => {
    const started = await start(await register());
    expect([await organizationOf(started), await listed(started)]).toEqual([null, null]);
    expect(await choose(started, "o")).toBe(true);
    expect([await organizationOf(started), await listed(started)]).toEqual(["o", "o"]);
    expect(await choose(started, null)).toBe(true);
    expect([await organizationOf(started), await listed(started)]).toEqual([null, null]);
  });

  test("changes the organization of one session only, and not its times", async () => {
    const user = await register();
    const [started, other] = [await start(user), await start(user)];
    const before = await store.find(started.tokenHash);
    clock.advance(1_000);
    await choose(started, "o");
    const after = await store.find(started.tokenHash);
    expect(after?.session).toEqual({ ...before?.session, activeOrganizationId: "o" });
    expect(await organizationOf(other)).toBeNull();
  });

  test("lets the application start a session in an organization", async () => {
    const started = await start(await register(), () => ({ data: { activeOrganizationId: "o" } }));
    expect([await organizationOf(started), await listed(started)]).toEqual(["o", "o"]);
  });

  test("chooses nothing for a session that does not exist, and revives none", async () => {
    const started = await start(await register());
    const unknown = { ...started, tokenHash: hashToken("unknown") };
    expect(await choose(unknown, "o")).toBe(false);
    await store.revoke(started, {
      actor: { kind: "system" },
      subject: { kind: "session", id: "s" },
      action: "session.revoked",
    });
    expect(await choose(started, "o")).toBe(false);
    expect(await store.find(started.tokenHash)).toBeUndefined();
  });

  test("keeps a choice when an extension writes a session that was read before", async () => {
    const users = await Promise.all(Array.from({ length: callers }, register));
    const outcomes = await Promise.all(
      users.map(async (user, index) => {
        const started = await start(user);
        const seen = await store.find(started.tokenHash);
        if (!seen) throw new Error("the session was not found");
        const to = { expiresAt: new Date(clock.now() + 86_400_000), updatedAt: new Date() };
        const extend = () =>
          store.extend(started.tokenHash, seen.session, { ...seen.session, ...to });
        const work = [extend, () => choose(started, "o")];
        const done = await Promise.all((index % 2 ? work : work.toReversed()).map((one) => one()));
        const stored = await store.find(started.tokenHash);
        const { expiresAt, activeOrganizationId } = stored?.session ?? {};
        return { done, expiresAt, activeOrganizationId, due: to.expiresAt };
      }),
    );
    for (const { done, expiresAt, activeOrganizationId, due } of outcomes) {
      expect([...done, activeOrganizationId]).toEqual([true, true, "o"]);
      expect(expiresAt).toEqual(due);
    }
  });

  test("shows the same organization everywhere after concurrent choices", async () => {
    const started = await start(await register());
    await Promise.all(Array.from({ length: callers }, (_, index) => choose(started, `o${index}`)));
    const organizationId = await organizationOf(started);
    expect(organizationId).toMatch(/^o\d+$/);
    expect(await listed(started)).toBe(organizationId);
  });

  test("forgets only the given organization, in the sessions of that user", async () => {
    const [user, colleague] = [await register(), await register()];
    const [one, two, elsewhere] = [await start(user), await start(user), await start(user)];
    const other = await start(colleague);
    for (const started of [one, two, other]) await choose(started, "o");
    await choose(elsewhere, "another");
    expect(await store.forgetOrganization(user.id, { organizationId: "o" }, caller)).toBe(true);
    const remaining = await Promise.all([one, two, elsewhere, other].map(organizationOf));
    expect(remaining).toEqual([null, null, "another", "o"]);
    expect(await store.forgetOrganization(user.id, { organizationId: "o" }, caller)).toBe(false);
  });

  test("sets the team with its organization, and drops it with the organization", async () => {
    const started = await start(await register());
    await choose(started, "o", "t");
    expect(await placeOf(started)).toEqual(["o", "t"]);
    await choose(started, "another");
    expect(await placeOf(started)).toEqual(["another", null]);
    await choose(started, "o", "t");
    await store.forgetOrganization(started.userId, { organizationId: "o" }, caller);
    expect(await placeOf(started)).toEqual([null, null]);
  });

  test("forgets only the given team, and keeps the organization", async () => {
    const user = await register();
    const [inTeam, inOther, inNone] = [await start(user), await start(user), await start(user)];
    await choose(inTeam, "o", "t");
    await choose(inOther, "o", "u");
    await choose(inNone, "o");
    const place = { organizationId: "o", teamId: "t" };
    expect(await store.listOrganizationHolders([user.id], place)).toEqual([user.id]);
    expect(await store.forgetOrganization(user.id, place, caller)).toBe(true);
    expect(await Promise.all([inTeam, inOther, inNone].map(placeOf))).toEqual([
      ["o", null],
      ["o", "u"],
      ["o", null],
    ]);
    expect(await store.listOrganizationHolders([user.id], place)).toEqual([]);
    expect(await store.forgetOrganization(user.id, place, caller)).toBe(false);
  });

  test("never shows a team of another organization after concurrent choices", async () => {
    const started = await start(await register());
    const choices = Array.from({ length: callers }, (_, index) =>
      choose(started, `o${index}`, index % 2 ? `t${index}` : undefined),
    );
    await Promise.all(choices);
    const [organizationId, teamId] = await placeOf(started);
    expect([null, organizationId?.replace("o", "t")]).toContain(teamId);
  });

  test("finds the users with a session in an organization", async () => {
    const users = await Promise.all(Array.from({ length: 4 }, register));
    const [holder, elsewhere, idle, unasked] = users.map(({ id }) => id);
    const started = await Promise.all(users.map((user) => start(user)));
    for (const [index, organizationId] of ["o", "another", null, "o"].entries())
      await choose(started[index]!, organizationId); // four sessions exist
    const userIds = [holder!, elsewhere!, idle!];
    expect(await store.listOrganizationHolders(userIds, { organizationId: "o" })).toEqual([holder]);
    expect(await store.listOrganizationHolders([unasked!], { organizationId: "o" })).toEqual([
      unasked,
    ]);
    expect(await store.listOrganizationHolders([], { organizationId: "o" })).toEqual([]);
  });

  test.each<[string, (started: Started) => unknown]>([
    ["choosing", (started) => choose(started, "another")],
    ["choosing none", (started) => choose(started, null)],
    [
      "forgetting",
      ({ userId }) => store.forgetOrganization(userId, { organizationId: "o" }, caller),
    ],
  ])("invalidates earlier cached sessions after %s, and allows new ones", async (_what, change) => {
    const started = await start(await register());
    await choose(started, "o");
    const before = await store.find(started.tokenHash);
    await change(started);
    const epoch = await revisionOf(started.userId);
    expect(epoch).toBeGreaterThan(before?.user.revision ?? Number.NaN);
    expect((await store.find(started.tokenHash))?.user.revision).toBe(epoch);
  });

  /** Attack: reuse of a cached session with an organization that its user has left. */
  test.each<[string, (on: SessionStore, started: Started) => Promise<unknown>]>([
    [
      "a choice",
      (on, started) => on.chooseOrganization(started, { organizationId: "another" }, caller),
    ],
    [
      "a forgetting",
      (on, { userId }) => on.forgetOrganization(userId, { organizationId: "o" }, caller),
    ],
  ])("does not perform %s if the new user revision cannot be stored", async (_what, change) => {
    const started = await start(await register());
    await choose(started, "o");
    const away = connectIdentity("postgres://127.0.0.1:1/nobody-listens");
    await expect(change(createStore(away), started)).rejects.toThrow();
    await away.destroy();
    expect(await organizationOf(started)).toBe("o");
  });
});
