import type { LatchkeyConfig } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { afterEach, describe, expect, test } from "vitest";
import { errors, keyRefusals } from "../harness/api-key-errors.ts";
import {
  apiKeyConfig,
  clientWithKey,
  createKey,
  createKeyFor,
  getKey,
  getSession,
  keySessionConfig,
  userIdOf,
} from "../harness/api-keys.ts";
import { matrix, representatives } from "../harness/matrix.ts";
import { race } from "../harness/race.ts";
import { startSystem, type System } from "../harness/start-system.ts";
import type { StoreKind } from "../harness/stores.ts";
import { signUp, type TestUser } from "../harness/users.ts";

expectNoLeaks("file");

let system: System;
afterEach(() => system.stop());

/** Signs up a user in a new system. */
const enter = async (config: LatchkeyConfig, stores: StoreKind = "postgres"): Promise<TestUser> => {
  system = await startSystem({ stores, config });
  return signUp(system);
};
const remainingOf = async (owner: TestUser, id: string) => (await getKey(owner, id)).remaining;

test("a key over its own rate limit gets a retry time, and the request is not charged", async () => {
  const ada = await enter(keySessionConfig({ rateLimit: { enabled: true } }));
  const limits = { rateLimitEnabled: true, rateLimitMax: 2, rateLimitTimeWindow: 60_000 };
  const { id, key } = await createKeyFor(system, ada, { ...limits, remaining: 10 });
  const answers = await race(() => clientWithKey(system, key).browser.get("/get-session"));
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused).toHaveLength(14);
  for (const answer of refused) {
    const { details, ...body } = (await answer.json()) as { details: { tryAgainIn: number } };
    expect([answer.status, body]).toEqual([
      429,
      { code: "RATE_LIMITED", message: "Rate limit exceeded." },
    ]);
    expect(details.tryAgainIn).toBeGreaterThan(0);
    expect(details.tryAgainIn).toBeLessThanOrEqual(60_000);
    const seconds = String(Math.ceil(details.tryAgainIn / 1000));
    for (const name of ["retry-after", "x-retry-after"])
      expect(answer.headers.get(name)).toBe(seconds);
  }
  expect(await remainingOf(ada, id)).toBe(8);
});

/** Otherwise a client that floods us with a found key would use it up. */
test.each<StoreKind>(matrix("postgres", "redis"))(
  "a request over its client's rate limit uses no key, limits in %s",
  async (stores) => {
    const storage = stores === "redis" ? "secondary-storage" : "database";
    const customRules = { "/list-accounts": { window: 60, max: 3 } };
    const rateLimit = { enabled: true, storage, max: 1_000, customRules } as const;
    const ada = await enter(keySessionConfig({}, { rateLimit }), stores);
    const { id, key } = await createKeyFor(system, ada, { remaining: 100 });
    const { browser } = clientWithKey(system, key);
    const answers = await race(() => browser.get("/list-accounts"));
    const through = answers.filter(({ status }) => status === 200).length;
    const refused = answers.filter(({ status }) => status === 429).length;
    expect([refused > 0, through + refused]).toEqual([true, answers.length]);
    expect(await remainingOf(ada, id)).toBe(100 - through);
  },
);

const off: [string, LatchkeyConfig][] = [
  ["by default", apiKeyConfig()],
  ["while keys are off altogether", keySessionConfig({ enabled: false })],
];
test.each(representatives(off, ([when]) => when !== "by default"))(
  "%s a key in a header is ignored",
  async (_case, config) => {
    const ada = await enter(config);
    const key = "a".repeat(64);
    expect(await getSession(clientWithKey(system, key))).toEqual({
      status: 200,
      body: null,
      cookies: [],
    });
    expect(await userIdOf(clientWithKey(system, key, ada.browser))).toBe(ada.user.id);
  },
);

test("a key in a header is ignored by default", async () => {
  const ada = await enter(apiKeyConfig());
  const { id, key } = await createKeyFor(system, ada, { remaining: 3 });
  const { browser } = clientWithKey(system, key);
  expect((await browser.get("/list-accounts")).status).toBe(401);
  expect(await remainingOf(ada, id)).toBe(3);
});

describe("the options choose where keys are read", () => {
  test("from headers by name, the first non-empty one of them", async () => {
    const ada = await enter(keySessionConfig({ apiKeyHeaders: ["X-Own-Key", "x-api-key"] }));
    const { key } = await createKey(ada);
    const client = clientWithKey(system, key);
    expect(await userIdOf(client)).toBe(ada.user.id);
    expect(await userIdOf(client, { "x-own-key": "" })).toBe(ada.user.id);
    expect(await getSession(client, { "x-own-key": "a".repeat(64) })).toEqual(keyRefusals.unknown);
  });

  test("from the request by a function, instead of headers", async () => {
    const requests: unknown[] = [];
    const config = keySessionConfig({
      customAPIKeyGetter: async ({ method, path, headers }) => {
        requests.push([method, path]);
        const own = headers["x-own"];
        return own === "a number" ? 7 : own;
      },
    });
    const ada = await enter(config);
    const { key } = await createKey(ada);
    requests.length = 0;
    const client = clientWithKey(system, "a".repeat(64));
    expect(await getSession(client)).toEqual({ status: 200, body: null, cookies: [] });
    expect(await userIdOf(client, { "x-own": key })).toBe(ada.user.id);
    expect(await getSession(client, { "x-own": "a number" })).toEqual(keyRefusals.getter);
    await client.browser.get("/ok");
    expect(requests).toEqual(Array(3).fill(["GET", "/get-session"]));
  });

  test("if a function accepts their format", async () => {
    const calls: unknown[] = [];
    const config = keySessionConfig({
      customAPIKeyValidator: ({ ctx, key }) => {
        calls.push([ctx, key]);
        return key.startsWith("own_");
      },
    });
    const ada = await enter(config);
    const [{ key }, other] = [await createKey(ada, { prefix: "own_" }), await createKey(ada)];
    const { browser } = clientWithKey(system, key);
    expect((await browser.get("/organization/list")).status).toBe(200);
    expect(calls).toEqual([[{ method: "GET", path: "/organization/list" }, key]]);
    expect(await getSession(clientWithKey(system, other.key))).toEqual(keyRefusals.malformed);
  });
});

test("users and sessions are returned if other features are off", async () => {
  const off = { admin: { enabled: false }, organization: { enabled: false } };
  const ada = await enter(keySessionConfig({}, { ...off, jwt: { enabled: false } }));
  const { key } = await createKey(ada);
  const { body } = await getSession(clientWithKey(system, key));
  expect(body?.user).not.toHaveProperty("banned");
  expect(await userIdOf(clientWithKey(system, key))).toBe(ada.user.id);
  const created = await clientWithKey(system, key).browser.post("/api-key/create");
  expect([created.status, await created.json()]).toEqual([403, errors.forbidden.body]);
});
