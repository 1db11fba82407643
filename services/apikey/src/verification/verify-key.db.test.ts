import { type operations, WireError } from "@latchkey/contracts";
import type { Call } from "@latchkey/service-kit/http";
import { expectNoLeaks } from "@latchkey/testkit";
import { beforeAll, describe, expect, test } from "vitest";
import {
  openApiKeyDatabase,
  createTestDeps,
  newTextId,
  seedKey,
  serviceCaller,
} from "../db/test-apikey.fixture.ts";
import { openKeySession, verifyKey } from "./operations.ts";

expectNoLeaks("file");

type Verify = Call<typeof operations.apikey.verifyApiKey>;
type Open = Call<typeof operations.apikey.openKeySession>;

const now = Date.parse("2030-01-02T03:04:05.678Z");

const { db } = await openApiKeyDatabase();

const arrange = (tree: object = {}) => {
  const deps = createTestDeps(db, { tree, clock: () => now });
  const rest = { params: undefined, query: undefined, session: undefined };
  const verify = async (key: string, permissions?: Record<string, string[]>, service?: string) => {
    const call: Verify = { caller: serviceCaller(service), body: { key, permissions }, ...rest };
    const answer = await verifyKey(deps, call);
    if ("redirect" in answer) throw new Error("unexpected redirect");
    return answer.reply;
  };
  const open = async (key: string) => {
    const body = { key, method: "GET", path: "/get-session" };
    const call: Open = { caller: serviceCaller("gateway"), body, ...rest };
    const answer = await openKeySession(deps, call);
    if ("redirect" in answer) throw new Error("unexpected redirect");
    return answer.reply;
  };
  return { deps, verify, open };
};

const limits = {
  rateLimitEnabled: true,
  rateLimitMax: 1,
  rateLimitTimeWindow: 1000,
  requestCount: 1,
  lastRequest: new Date(now - 400),
};
const refills = { refillAmount: 1, refillInterval: 1, createdAt: new Date(now) };
const banned = newTextId();
beforeAll(async () => {
  await db
    .insertInto("owner")
    .values({ userId: banned, revision: 1, banned: true, bannedUntil: null, departedAt: null })
    .execute();
});

describe("a verification", () => {
  test("of a valid key shows it after the use, and never its lookup value", async () => {
    const { verify } = arrange();
    const permissions = { files: ["read"] };
    const { id, key, userId } = await seedKey(db, {
      name: "deploy",
      prefix: "pre_",
      start: "pre_ab",
      remaining: 2,
      permissions: JSON.stringify(permissions),
      metadata: JSON.stringify({ team: "ops" }),
      createdAt: new Date(now - 5),
      updatedAt: new Date(now - 5),
    });
    expect(await verify(key, { files: ["read"] })).toEqual({
      valid: true,
      error: null,
      key: {
        id,
        name: "deploy",
        start: "pre_ab",
        prefix: "pre_",
        userId,
        refillInterval: null,
        refillAmount: null,
        lastRefillAt: null,
        enabled: true,
        rateLimitEnabled: false,
        rateLimitTimeWindow: null,
        rateLimitMax: null,
        requestCount: 0,
        remaining: 1,
        lastRequest: new Date(now),
        expiresAt: null,
        createdAt: new Date(now - 5),
        updatedAt: new Date(now - 5),
        permissions,
        metadata: { team: "ops" },
      },
    });
  });

  test.each([
    ["disabled", { enabled: false }, "KEY_DISABLED", "API Key is disabled"],
    ["expired", { expiresAt: new Date(now - 1) }, "KEY_EXPIRED", "API Key has expired"],
    ["owned by a banned user", { userId: banned }, "USER_IS_BANNED", "User is banned"],
    ["used up", { remaining: 0 }, "USAGE_EXCEEDED", "API Key has reached its usage limit"],
    [
      "used up until it is refilled",
      { remaining: 0, ...refills },
      "USAGE_EXCEEDED",
      "API Key has reached its usage limit",
    ],
  ])("of a key that is %s reports that", async (_case, given, code, message) => {
    const { verify } = arrange();
    const { key } = await seedKey(db, given);
    expect(await verify(key)).toEqual({ valid: false, error: { code, message }, key: null });
  });

  test("of a key that is used too often reports when to retry", async () => {
    const { verify } = arrange();
    const { key } = await seedKey(db, limits);
    expect(await verify(key)).toEqual({
      valid: false,
      error: {
        code: "RATE_LIMITED",
        message: "Rate limit exceeded.",
        details: { tryAgainIn: 600 },
      },
      key: null,
    });
  });

  test.each([[{ files: ["write"] }], [{}]])(
    "of a key without the permissions %j reports it as not found, and counts no use",
    async (permissions) => {
      const { verify } = arrange();
      const { id, key } = await seedKey(db, { remaining: 1, permissions: '{"files":["read"]}' });
      expect(await verify(key, permissions)).toEqual({
        valid: false,
        error: { code: "KEY_NOT_FOUND", message: "API Key not found" },
        key: null,
      });
      const row = await db.selectFrom("apiKey").select("remaining").where("id", "=", id).execute();
      expect(row).toEqual([{ remaining: 1 }]);
    },
  );

  test("of malformed text and of an unknown key reveals nothing else", async () => {
    const { verify } = arrange();
    const { key } = await seedKey(db, { prefix: "pre_" });
    const message = "Invalid API key.";
    const none = (code: string) => ({ valid: false, error: { code, message }, key: null });
    for (const text of ["", "pre_", "a".repeat(63), `${key}\0`, "a".repeat(2000)])
      expect(await verify(text)).toEqual(none("KEY_NOT_FOUND"));
    for (const text of ["a".repeat(64), `pre_${"a".repeat(64)}`, ` ${key}`, key.toUpperCase()])
      expect(await verify(text)).toEqual(none("INVALID_API_KEY"));
  });

  test("finds keys that are stored as text if the options say so, whatever is sent", async () => {
    const { verify } = arrange({ apiKey: { disableKeyHashing: true } });
    const text = "k".repeat(64);
    await seedKey(db, { key: text });
    expect(await verify(text)).toMatchObject({ valid: true });
    expect(await verify(`${"k".repeat(64)}' or '1'='1`)).toMatchObject({ valid: false });
  });

  test("fails if the application's validator fails, and counts no use", async () => {
    const { verify } = arrange({
      apiKey: {
        customAPIKeyValidator: () => {
          throw new Error("no opinion");
        },
      },
    });
    const { id, key } = await seedKey(db, { remaining: 1 });
    await expect(verify(key)).rejects.toThrow("no opinion");
    const row = await db.selectFrom("apiKey").select("remaining").where("id", "=", id).execute();
    expect(row).toEqual([{ remaining: 1 }]);
  });

  test("is counted by outcome, except for unknown keys", async () => {
    const { deps, verify } = arrange();
    const seeded = [
      await seedKey(db),
      await seedKey(db, limits),
      await seedKey(db, { remaining: 0 }),
      await seedKey(db, { expiresAt: new Date(now - 1) }),
      await seedKey(db, { enabled: false }),
      await seedKey(db, { userId: banned }),
      await seedKey(db, { permissions: "{}" }),
    ];
    for (const { key } of seeded) await verify(key);
    await verify(seeded[6]?.key ?? "", { files: ["read"] });
    await verify("a".repeat(64));
    await deps.usage.flush();
    const ids = seeded.map(({ id }) => id);
    const rows = await db
      .selectFrom("keyUsage")
      .select(["keyId", "valid", "rateLimited", "exhausted", "expired", "disabled", "forbidden"])
      .where("keyId", "in", ids)
      .execute();
    const counts = ids.map((id) => {
      const { keyId: _, ...row } = rows.find(({ keyId }) => keyId === id) ?? {};
      return Object.fromEntries(Object.entries(row).filter(([, count]) => count !== 0));
    });
    expect(counts).toEqual([
      { valid: 1 },
      { rateLimited: 1 },
      { exhausted: 1 },
      { expired: 1 },
      { disabled: 1 },
      { disabled: 1 },
      { valid: 1, forbidden: 1 },
    ]);
  });
});

describe("a service that sends unknown keys", () => {
  const tree = { apiKey: { unknownKeys: { window: 60, max: 3 } } };
  const unknown = "a".repeat(64);

  test("is refused after too many, malformed ones included, except for keys that were valid", async () => {
    const { verify } = arrange(tree);
    const [usedKey, fresh] = [await seedKey(db), await seedKey(db, { remaining: 5 })];
    expect(await verify(usedKey.key)).toMatchObject({ valid: true });
    await verify(unknown);
    await verify("short");
    await verify(unknown);
    const refused = { code: "TOO_MANY_REQUESTS", retryAfterSeconds: 60 };
    await expect(verify(unknown)).rejects.toMatchObject(refused);
    await expect(verify("short")).rejects.toMatchObject(refused);
    // A guess is not answered, right or wrong, and a key that was not looked up is not used.
    await expect(verify(fresh.key)).rejects.toMatchObject(refused);
    const row = db.selectFrom("apiKey").select("remaining").where("id", "=", fresh.id);
    expect(await row.execute()).toEqual([{ remaining: 5 }]);
    expect(await verify(usedKey.key)).toMatchObject({ valid: true });
    expect(await verify(fresh.key, undefined, "search")).toMatchObject({ valid: true });
  });
});

test("reports a failure if concurrent changes prevent a verification", async () => {
  const { deps, verify } = arrange();
  const { key } = await seedKey(db);
  deps.useKey = async () => ({ outcome: "unsettled" });
  expect(await verify(key)).toEqual({
    valid: false,
    error: { code: "INTERNAL_SERVER_ERROR", message: "Failed to update API key" },
    key: null,
  });
});

test("lets only the gateway use keys in place of sessions", async () => {
  const { deps } = arrange();
  const { id, key } = await seedKey(db, { remaining: 2 });
  const body = { key, method: "GET", path: "/get-session" };
  const call: Open = {
    caller: serviceCaller("billing"),
    body,
    params: undefined,
    query: undefined,
    session: undefined,
  };
  await expect(openKeySession(deps, call)).rejects.toMatchObject({ code: "FORBIDDEN" });
  const row = db.selectFrom("apiKey").select("remaining").where("id", "=", id);
  expect(await row.execute()).toEqual([{ remaining: 2 }]);
});

describe("a key in place of a session", () => {
  test("opens a session of its owner and is used once", async () => {
    const { open } = arrange();
    const expiresAt = new Date(now + 1000);
    const secondFactor = "code";
    const { id, key, userId } = await seedKey(db, { secondFactor, remaining: 2, expiresAt });
    expect(await open(key)).toEqual({
      id,
      userId,
      expiresAt: expiresAt.toISOString(),
      secondFactor,
    });
    const row = db.selectFrom("apiKey").select("remaining").where("id", "=", id);
    expect(await row.execute()).toEqual([{ remaining: 1 }]);
  });

  test.each([
    [null, true],
    [{ session: ["use"] }, true],
    [{ session: ["use", "other"], files: ["read"] }, true],
    [{ files: ["read"] }, false],
    [{ session: [] }, false],
    [{}, false],
  ])("with the permissions %j opens a session: %s", async (permissions, opens) => {
    const { open } = arrange();
    const { key, userId } = await seedKey(db, {
      permissions: permissions && JSON.stringify(permissions),
    });
    if (opens) expect(await open(key)).toMatchObject({ userId });
    else await expect(open(key)).rejects.toMatchObject({ code: "FORBIDDEN", status: 403 });
  });

  test.each([
    ["malformed", { key: "short" }, { code: "INVALID_API_KEY", status: 403 }],
    ["unknown", { key: "a".repeat(64) }, { code: "INVALID_API_KEY", status: 401 }],
    ["disabled", { enabled: false }, { code: "KEY_DISABLED", status: 401 }],
    ["expired", { expiresAt: new Date(now - 1) }, { code: "KEY_EXPIRED", status: 401 }],
    ["owned by a banned user", { userId: banned }, { code: "USER_BANNED", status: 401 }],
    ["used up", { remaining: 0 }, { code: "USAGE_EXCEEDED", status: 401 }],
    [
      "used too often",
      limits,
      { code: "RATE_LIMITED", status: 429, retryAfterSeconds: 1, details: { tryAgainIn: 600 } },
    ],
  ])("that is %s is refused with a specific error", async (_case, given, error) => {
    const { open } = arrange();
    const text = "key" in given ? given.key : (await seedKey(db, given)).key;
    const refused = open(text);
    await expect(refused).rejects.toBeInstanceOf(WireError);
    await expect(refused).rejects.toMatchObject(error);
  });
});
