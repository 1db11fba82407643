import type { Caller } from "@latchkey/contracts";
import { hashToken } from "@latchkey/crypto";
import { isUnavailable, NotSharedError } from "@latchkey/service-kit";
import { createTestClock, expectNoLeaks, newCaller } from "@latchkey/testkit";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  createTestDeps,
  identityConfig,
  seedUser,
  untilAnswering,
} from "../db/test-identity.fixture.ts";
import { createSigningKeys } from "../jwt/signing-keys.ts";
import { createSession } from "./create-session.ts";
import { getSession } from "./get-session.ts";
import type { SessionStore } from "./store/session-store.ts";
import { createTestStore, openSessionStores } from "./store/session-stores.fixture.ts";

expectNoLeaks("file");

const clock = createTestClock();
const caller: Caller = newCaller("getSession");
const config = identityConfig({
  jwt: { enabled: false },
  session: { cookieCache: { enabled: true } },
});
const dayMs = 86_400_000;
const callers = 16;

const stores = await openSessionStores();
const { db } = stores;

describe.each([
  { name: "rows", usesRedis: false },
  { name: "Redis", usesRedis: true },
])("with sessions in $name", ({ name, usesRedis }) => {
  let sessions: SessionStore;
  let deps: Parameters<typeof getSession>[0] & Parameters<typeof createSession>[0];
  beforeAll(async () => {
    const chosen = { name, config: config.session, usesRedis, clock: clock.now };
    sessions = createTestStore(stores, chosen);
    await untilAnswering(sessions);
  });
  beforeEach(() => {
    const shared = createTestDeps({ config, db, clock: clock.now });
    const signingKeys = createSigningKeys({
      ...shared,
      newId: shared.newEventId,
      config: config.jwt,
    });
    deps = { ...shared, sessions, signingKeys };
  });

  const start = async (own: Partial<Parameters<typeof createSession>[2]> = {}) => {
    const user = await seedUser(db);
    const created = await createSession(deps, user, {
      caller,
      remember: true,
      proof: { methods: ["password"] },
      ...own,
    });
    return { user, token: created?.token ?? "" };
  };
  const ask = (sessionToken: string, isShared: boolean) =>
    getSession(deps, {
      caller: { ...caller, sessionToken },
      isShared,
      session: undefined,
      params: undefined,
      query: {},
      body: undefined,
    });
  /** Returns the answers to concurrent requests of a shared call, and undefined for those that it leaves out. */
  const readShared = (tokens: readonly string[]) =>
    Promise.all(
      tokens.map((token) =>
        ask(token, true).catch((error: unknown) => {
          if (!(error instanceof NotSharedError)) throw error;
          return undefined;
        }),
      ),
    );

  test("each of 16 callers gets what get-session returns", async () => {
    const started = await Promise.all(Array.from({ length: callers }, () => start()));
    const tokens = started.map(({ token }) => token);
    const alone = await Promise.all(tokens.map((token) => ask(token, false)));
    expect(await readShared(tokens)).toEqual(alone);
    expect(alone).toEqual(
      started.map(({ user }) => ({
        reply: expect.objectContaining({ user: expect.objectContaining({ id: user.id }) }),
        effect: { kind: "cache", epoch: user.revision },
        headers: undefined,
      })),
    );
  });

  test("leaves out callers whose requests do more than read, and answers the others", async () => {
    const [valid, due, impersonated, marked] = [
      await start(),
      await start(),
      await start({ impersonation: { adminId: "admin", seconds: 3_600 } }),
      await start({ remember: false, proof: { methods: ["password"] } }),
    ];
    const tokens = ["unknown", impersonated.token, valid.token, marked.token];
    expect((await readShared(tokens)).map((one) => one && Boolean(one.effect))).toEqual([
      undefined,
      undefined,
      true,
      false, // ends with the browser, so it is not cached again
    ]);
    clock.advance(2 * dayMs);
    expect(await readShared([due.token])).toEqual([undefined]);
  });

  /** Attack: the use of a session that has just been revoked. */
  test("leaves out a revoked session immediately", async () => {
    const [kept, ended] = [await start(), await start()];
    const revoked = { tokenHash: hashToken(ended.token), userId: ended.user.id };
    await sessions.revoke(revoked, {
      actor: { kind: "system" },
      subject: { kind: "session", id: "s" },
      action: "session.revoked",
      caller,
    });
    expect((await readShared([ended.token, kept.token])).map(Boolean)).toEqual([false, true]);
  });

  test("an unavailable store is reported as such", async () => {
    const { token } = await start();
    const away = Object.assign(new Error("away"), { code: "ECONNREFUSED" });
    deps = { ...deps, sessions: { ...sessions, find: () => Promise.reject(away) } };
    await expect(readShared([token])).rejects.toSatisfy(isUnavailable);
  });
});
