import type { Caller } from "@latchkey/contracts";
import { hashToken } from "@latchkey/crypto";
import { isUnavailable } from "@latchkey/service-kit";
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
import { readSessions } from "./read-sessions.ts";
import { createSessionJson } from "./session-json.ts";
import type { SessionStore } from "./store/session-store.ts";
import { createTestStore, openSessionStores } from "./store/session-stores.fixture.ts";

expectNoLeaks("file");

const clock = createTestClock();
const caller: Caller = { ...newCaller("readSessions"), service: "gateway" };
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
  let deps: Parameters<typeof readSessions>[0] & Parameters<typeof createSession>[0];
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
    deps = { ...shared, sessions, signingKeys, sessionJson: createSessionJson(config) };
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
  const read = async (tokens: readonly string[], by: Caller = caller) => {
    const asked = tokens.map((sessionToken) => ({ sessionToken, baseUrl: "http://localhost" }));
    const answer = await readSessions(deps, {
      caller: by,
      session: undefined,
      params: undefined,
      query: undefined,
      body: { callers: asked },
    });
    return "reply" in answer ? answer.reply.sessions : [];
  };

  test("each of 16 callers gets what get-session returns", async () => {
    const started = await Promise.all(Array.from({ length: callers }, () => start()));
    const tokens = started.map(({ token }) => token);
    const found = await read(tokens);
    const alone = await Promise.all(
      tokens.map((sessionToken) =>
        getSession(deps, {
          caller: { ...caller, sessionToken },
          session: undefined,
          params: undefined,
          query: {},
          body: undefined,
        }),
      ),
    );
    expect(found).toEqual(
      alone.map((answer, index) => ({
        json: "reply" in answer && deps.sessionJson(answer.reply),
        epoch: started[index]?.user.revision,
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
    expect((await read(tokens)).map((one) => one && Object.keys(one))).toEqual([
      null,
      null,
      ["json", "epoch"],
      ["json"], // ends with the browser, so it is not cached again
    ]);
    clock.advance(2 * dayMs);
    expect(await read([due.token])).toEqual([null]);
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
    expect((await read([ended.token, kept.token])).map(Boolean)).toEqual([false, true]);
  });

  test("a failed look-up fails no other, unless the store is unavailable to all", async () => {
    const { token } = await start();
    const away = Object.assign(new Error("away"), { code: "ECONNREFUSED" });
    const find: SessionStore["find"] = async (hash) => {
      if (!hash.equals(hashToken(token))) throw away;
      return sessions.find(hash);
    };
    deps = { ...deps, sessions: { ...sessions, find } };
    expect((await read(["a", token, "b"])).map(Boolean)).toEqual([false, true, false]);
    await expect(read(["a", "b"])).rejects.toSatisfy(isUnavailable);
  });

  /** Attack: a service that has its users' session tokens signs tokens for another base URL. */
  test("refuses every caller but the gateway", async () => {
    const { token } = await start();
    const refused = expect.objectContaining({ code: "FORBIDDEN" });
    await expect(read([token], { ...caller, service: "organization" })).rejects.toEqual(refused);
  });
});
