import type { FeatureName, LatchkeyConfig, Operation } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type BrowserLike, createBrowserLike } from "../harness/browser-like.ts";
import {
  errors,
  internalError,
  operationMissing,
  refusedVerifications,
} from "../harness/api-key-errors.ts";
import {
  apiKeyConfig,
  apiKeyOperations,
  createKey,
  createKeyFor,
  getKey,
  hashApiKeyTables,
  listKeys,
  verificationCode,
  verify,
} from "../harness/api-keys.ts";
import { callInternal, callOperation } from "../harness/operations.ts";
import { openRows, type Rows } from "../harness/rows.ts";
import { startSystem, type System } from "../harness/start-system.ts";
import { signUp, signUpAs, type TestUser } from "../harness/users.ts";
import { withGateway } from "../harness/start-gateway.ts";

expectNoLeaks("file");

type ApiKeyOptions = NonNullable<LatchkeyConfig["apiKey"]>;

const daySeconds = 86_400;
const letters = (count: number) => expect.stringMatching(`^[A-Za-z]{${count}}$`) as string;

let system: System;
let rows: Rows;
let ada: TestUser;
const useStack = (apiKey: ApiKeyOptions) => {
  beforeAll(async () => {
    system = await startSystem({ stores: "postgres", config: apiKeyConfig(apiKey) });
    rows = openRows(system);
    ada = await signUp(system);
  });
  afterAll(async () => {
    await rows.close();
    await system.stop();
  });
};

const create = (body: object) => callOperation(ada, apiKeyOperations.createApiKey, { body });
const createFor = (body: object) =>
  callInternal(system, apiKeyOperations.createApiKeyFor, {
    body: { userId: ada.user.id, ...body },
  });
const updateNew = async (own: object) => {
  const { id: keyId } = await createKey(ada);
  return callOperation(ada, apiKeyOperations.updateApiKey, { body: { keyId, ...own } });
};
const columnOf = async (id: string, column: string) =>
  (await rows.query(`select ${column} as value from apikey.api_key where id = $1`, id))[0]?.[
    "value"
  ];

describe("lengths, lifetimes and limits", () => {
  useStack({
    defaultPrefix: "acme_",
    minimumPrefixLength: 3,
    maximumPrefixLength: 6,
    minimumNameLength: 2,
    maximumNameLength: 4,
    defaultKeyLength: 32,
    keyExpiration: { defaultExpiresIn: 3_600, minExpiresIn: 2, maxExpiresIn: 3 },
    rateLimit: { timeWindow: 60_000, maxRequests: 2 },
    startingCharactersConfig: { charactersLength: 12 },
    permissions: { defaultPermissions: { report: ["read"] } },
  });

  test("a key without settings gets those of the options", async () => {
    const { key, ...shown } = await createKey(ada);
    expect([key.slice(0, 5), key.slice(5)]).toEqual(["acme_", letters(32)]);
    expect(shown).toMatchObject({
      prefix: "acme_",
      start: key.slice(0, 12),
      rateLimitEnabled: true,
      rateLimitTimeWindow: 60_000,
      rateLimitMax: 2,
      permissions: { report: ["read"] },
      metadata: null,
    });
    expect(Date.parse(shown.expiresAt ?? "") - Date.parse(shown.createdAt)).toBe(3_600_000);
  });

  test("settings by a service override the options", async () => {
    const own = { rateLimitTimeWindow: 5, rateLimitMax: 7, permissions: {}, prefix: "other-" };
    const { key, ...shown } = await createKeyFor(system, ada, own);
    expect(shown).toMatchObject(own);
    expect(key.slice(6)).toEqual(letters(32));
  });

  test("the limit of the options applies to a key", async () => {
    const { key } = await createKey(ada);
    for (const _ of ["once", "again"]) expect(await verificationCode(system, key)).toBeNull();
    const { error } = await verify(system, key);
    expect(error?.code).toBe("RATE_LIMITED");
    expect(error?.details?.tryAgainIn).toBeLessThanOrEqual(60_000);
  });

  test("a text shorter than the random part is never looked up", async () => {
    expect(await verify(system, "x".repeat(31))).toStrictEqual(refusedVerifications.malformed);
    expect(await verify(system, "x".repeat(32))).toStrictEqual(refusedVerifications.unknown);
  });

  test.each([
    [{ name: "a" }, errors.nameLength],
    [{ name: "abcde" }, errors.nameLength],
    [{ prefix: "ab" }, errors.prefixLength],
    [{ prefix: "abcdefg" }, errors.prefixLength],
    [{ expiresIn: 2 * daySeconds - 1 }, errors.expiresTooSoon],
    [{ expiresIn: 3 * daySeconds + 1 }, errors.expiresTooLate],
    [{ metadata: {} }, errors.metadataDisabled],
    [{ metadata: "text" }, errors.metadataDisabled],
    [{ metadata: { a: 1 }, expiresIn: 1, prefix: "a", name: "a" }, errors.metadataDisabled],
  ])("rejects creating a key with %j, whoever calls", async (body, expected) => {
    const before = await hashApiKeyTables(rows);
    expect(await create(body)).toEqual(expected);
    expect(await createFor(body)).toEqual(expected);
    expect(await hashApiKeyTables(rows)).toEqual(before);
  });

  test.each([
    { name: "ab" },
    { name: "abcd" },
    { name: "" },
    { prefix: "abc" },
    { prefix: "abcdef" },
    { expiresIn: 2 * daySeconds },
    { expiresIn: 3 * daySeconds },
    { metadata: null },
    { metadata: 0 },
  ])("creates a key with %j", async (body) => {
    expect(await create(body)).toMatchObject({ status: 200 });
  });

  test.each([
    [{ name: "a" }, errors.nameLength],
    [{ name: "abcde" }, errors.nameLength],
    [{ expiresIn: 2 * daySeconds - 1 }, errors.expiresTooSoon],
    [{ expiresIn: 3 * daySeconds + 1 }, errors.expiresTooLate],
    [{ metadata: { a: 1 } }, errors.metadataDisabled],
    [{ metadata: null }, errors.metadataDisabled],
    [{ metadata: "text" }, errors.metadataDisabled],
    [{ name: "ok", expiresIn: null, metadata: null }, errors.metadataDisabled],
  ])("rejects changing a key to %j", async (own, expected) => {
    expect(await updateNew(own)).toEqual(expected);
  });
});

describe("functions and disabled features", () => {
  const calls: unknown[] = [];
  let makeKey: NonNullable<ApiKeyOptions["customKeyGenerator"]>;
  let mayBeKey: NonNullable<ApiKeyOptions["customAPIKeyValidator"]>;
  let defaultPermissions: (userId: string, request: object) => unknown;
  let made = 0;
  const reset = () => {
    calls.length = 0;
    makeKey = ({ length, prefix }) => `${prefix ?? ""}${(made += 1)}-`.padEnd(length, "é");
    mayBeKey = () => true;
    defaultPermissions = () => null;
  };
  const thrower = () => {
    throw new Error("no");
  };
  reset();
  useStack({
    customKeyGenerator: (data) => makeKey(data),
    customAPIKeyValidator: (data) => mayBeKey(data),
    permissions: {
      defaultPermissions: (userId, request) => defaultPermissions(userId, request) as null,
    },
    disableKeyHashing: true,
    keyExpiration: { disableCustomExpiresTime: true },
    rateLimit: { enabled: false },
    startingCharactersConfig: { shouldStore: false },
  });
  afterEach(reset);

  test("the application's generator makes the whole key, including the prefix", async () => {
    const inner = makeKey;
    makeKey = async (data) => {
      calls.push(data);
      return inner(data);
    };
    const { key } = await createKey(ada, { prefix: "acme_" });
    expect(key).toMatch(/^acme_\d+-é+$/);
    await createKey(ada);
    expect(calls).toEqual([
      { length: 64, prefix: "acme_" },
      { length: 64, prefix: undefined },
    ]);
    expect(await verificationCode(system, key)).toBeNull();
  });

  test.each<[string, () => unknown]>([
    ["is too short", () => "x".repeat(63)],
    ["is too long", () => "x".repeat(1_025)],
    ["has NUL", () => `${"x".repeat(64)}\0`],
    ["has half a letter", () => `${"x".repeat(64)}\uD800`],
    ["is no text", () => 5],
    ["is nothing", () => undefined],
    ["never comes", thrower],
    ["comes as a rejection", async () => thrower()],
  ])("a generated key that %s is not used, and reveals nothing", async (_, make) => {
    makeKey = make as typeof makeKey;
    const before = await hashApiKeyTables(rows);
    expect(await create({})).toEqual(internalError);
    expect(await createFor({})).toEqual(internalError);
    expect(await hashApiKeyTables(rows)).toEqual(before);
  });

  test("a generated key that exists is not given to another user", async () => {
    const { id, key } = await createKey(ada);
    makeKey = () => key;
    expect(await callOperation(await signUp(system), apiKeyOperations.createApiKey, {})).toEqual(
      internalError,
    );
    expect((await verify(system, key)).key?.id).toBe(id);
  });

  test("the application's validator runs before a key is looked up", async () => {
    const { id, key } = await createKey(ada);
    mayBeKey = async (data) => {
      calls.push(data);
      return false;
    };
    expect(await verify(system, key)).toStrictEqual(refusedVerifications.malformed);
    expect(calls).toEqual([{ ctx: { method: "POST", path: "/api-key/verify" }, key }]);
    mayBeKey = () => false;
    expect(await verify(system, key)).toStrictEqual(refusedVerifications.malformed);
    mayBeKey = thrower;
    const body = { key };
    expect(await callInternal(system, apiKeyOperations.verifyApiKey, { body })).toEqual(
      internalError,
    );
    expect((await getKey(ada, id)).requestCount).toBe(0);
  });

  test("a function may choose the default permissions by owner and request", async () => {
    const permissions = { report: ["read"] };
    defaultPermissions = (...parameters) => {
      calls.push(parameters);
      return Promise.resolve(permissions);
    };
    expect((await createKey(ada)).permissions).toEqual(permissions);
    expect((await createKeyFor(system, ada)).permissions).toEqual(permissions);
    const parameters = [ada.user.id, { method: "POST", path: "/api-key/create" }];
    expect(calls).toEqual([parameters, parameters]);
    const own = { permissions: { invoice: ["pay"] } };
    expect((await createKeyFor(system, ada, own)).permissions).toEqual(own.permissions);
    for (const nothing of [null, undefined]) {
      defaultPermissions = () => nothing;
      expect((await createKey(ada)).permissions).toBeNull();
    }
    for (const wrong of [thrower, () => ({ report: "read" })]) {
      defaultPermissions = wrong;
      expect(await create({})).toEqual(internalError);
    }
  });

  test("stores keys as they are, and not their start", async () => {
    const { id, key, start } = await createKey(ada);
    expect([await columnOf(id, "key"), await columnOf(id, "start"), start]).toEqual([
      key,
      null,
      null,
    ]);
    expect(await verificationCode(system, key)).toBeNull();
    expect(JSON.stringify(await listKeys(ada))).not.toContain(key);
  });

  test("rejects a lifetime in the request", async () => {
    for (const expiresIn of [1, 5 * daySeconds]) {
      expect(await create({ expiresIn })).toEqual(errors.expiryDisabled);
      expect(await createFor({ expiresIn })).toEqual(errors.expiryDisabled);
      expect(await updateNew({ expiresIn })).toEqual(errors.expiryDisabled);
    }
    expect((await createKey(ada, { expiresIn: null })).expiresAt).toBeNull();
    expect(await updateNew({ expiresIn: null })).toEqual(errors.expiryDisabled);
  });

  test("no key is rate limited, even if a service sets a limit", async () => {
    expect((await createKey(ada)).rateLimitEnabled).toBe(false);
    const limits = { rateLimitEnabled: true, rateLimitMax: 1 };
    const { key } = await createKeyFor(system, ada, limits);
    for (const _ of ["once", "again", "and again"])
      expect(await verificationCode(system, key)).toBeNull();
  });
});

describe("operations", () => {
  useStack({});

  /** Returns the same user at another gateway. */
  const at = (origin: string, { browser }: TestUser): { browser: BrowserLike } => {
    const there = createBrowserLike(`${origin}/api/auth`);
    for (const [name, value] of browser.cookies) there.cookies.set(name, value);
    return { browser: there };
  };
  const all: Operation[] = Object.values(apiKeyOperations);
  const publicOnes = all.filter(({ exposure }) => exposure === "public");
  const off: [string, LatchkeyConfig, readonly FeatureName[]][] = [
    ["keys", { apiKey: { enabled: false } }, ["apiKey", "apiKeyAdmin"]],
    ["admins", { admin: { enabled: false } }, ["apiKeyAdmin"]],
  ];

  test.each(off)("are absent if their feature is off, without %s", async (_, config, gone) => {
    const admin = await signUpAs(system, "admin");
    const { id, userId } = await createKey(admin);
    const APIKEY_URL = system.urlOf("apikey");
    await withGateway(system, { config, environment: { APIKEY_URL } }, async (origin) => {
      for (const declared of publicOnes) {
        const sent = { params: { id }, query: { id, userId }, body: { keyId: id, name: "new" } };
        const answer = await callOperation(at(origin, admin), declared, sent);
        const isGone = declared.feature && gone.includes(declared.feature);
        if (isGone) expect(answer).toEqual(operationMissing);
        else expect(answer).not.toEqual(operationMissing);
      }
    });
  });
});
