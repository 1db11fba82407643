import { type Operation, wireCode } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { beforeEach, describe, expect, test } from "vitest";
import { matrixTest } from "../harness/matrix.ts";
import { checksInOrder, errors, validationError } from "../harness/api-key-errors.ts";
import {
  apiKeyConfig,
  apiKeyOperations,
  type ApiKeyUsage,
  type ApiKeyView,
  createKey,
  createKeyFor,
  deleteKey,
  getKey,
  hashApiKeyTables,
  listKeys,
  sumUsage,
  untilUsage,
  updateKey,
  verificationCode,
  verify,
} from "../harness/api-keys.ts";
import { apiKeyAudit, byUser } from "../harness/audit.ts";
import { callOperation, expectOk } from "../harness/operations.ts";
import { race } from "../harness/race.ts";
import { errorResponse, readResponse } from "../harness/responses.ts";
import { renewAfterChange, useSystem } from "../harness/use-system.ts";
import { impersonateInRows, newClient, signUp, type TestUser } from "../harness/users.ts";

expectNoLeaks("file");

const dayMs = 86_400_000;
const daySeconds = 86_400;
const yearSeconds = 365 * daySeconds;

let ada: TestUser;
let unused: TestUser;
const {
  system,
  rows,
  user: bob,
} = useSystem({
  stores: "postgres",
  config: apiKeyConfig({ enableMetadata: true }),
});
// A user without keys, in a session of their own.
renewAfterChange(
  () =>
    rows.query(
      `select id from apikey.api_key where user_id = $1
       union all select id from identity.session where user_id = $1 and impersonated_by is not null`,
      unused.user.id,
    ),
  async () => {
    unused = await signUp(system);
  },
);
beforeEach(() => {
  ada = unused;
});

/** Lets rejected calls, which change nothing, share a user with a key. Returns the key's id once the tests start. */
const shareKey = (): { keyId: string } => {
  let owner: TestUser;
  const shared = { keyId: "" };
  renewAfterChange(
    () => hashApiKeyTables(rows),
    async () => {
      owner = await signUp(system);
      shared.keyId = (await createKey(owner, { metadata: { plan: "free" } })).id;
    },
  );
  beforeEach(() => {
    ada = owner;
  });
  return shared;
};

const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const long = (length: number) => "x".repeat(length);

/** A key with default settings. */
const plainKey = (): ApiKeyView => ({
  id: expect.stringMatching(/^[A-Za-z0-9]{32}$/) as string,
  name: null,
  start: expect.stringMatching(/^[A-Za-z]{6}$/) as string,
  prefix: null,
  userId: ada.user.id,
  refillInterval: null,
  refillAmount: null,
  lastRefillAt: null,
  enabled: true,
  rateLimitEnabled: true,
  rateLimitTimeWindow: dayMs,
  rateLimitMax: 10,
  requestCount: 0,
  remaining: null,
  lastRequest: null,
  expiresAt: null,
  createdAt: isoTime,
  updatedAt: isoTime,
  permissions: null,
  metadata: null,
});

const create = (body: object) => callOperation(ada, apiKeyOperations.createApiKey, { body });
const update = (body: object) => callOperation(ada, apiKeyOperations.updateApiKey, { body });
const secondsLeft = ({ expiresAt }: ApiKeyView, from: string) =>
  (Date.parse(expiresAt ?? "") - Date.parse(from)) / 1000;

/** Settings that only services may make. */
const servicesOnly = {
  remaining: 5,
  refillAmount: 5,
  refillInterval: 1,
  rateLimitTimeWindow: 1_000,
  rateLimitMax: 5,
  rateLimitEnabled: false,
  permissions: { invoice: ["read"] },
};

/** Bodies that a schema rejects, by the invalid member. */
const malformed: [member: string, value: unknown][] = [
  ["name", 5],
  ["name", null],
  ["name", "a\0b"],
  ["name", "\uD800"],
  ["name", long(10_001)],
  ["expiresIn", 0],
  ["expiresIn", -1],
  ["expiresIn", 0.5],
  ["expiresIn", "86400"],
  ["userId", ""],
  ["userId", {}],
  ["userId", "\0"],
  ["userId", long(256)],
  ["remaining", -1],
  ["remaining", 1.5],
  ["remaining", "5"],
  ["remaining", 2 ** 31],
  ["refillAmount", 0],
  ["refillAmount", null],
  ["refillInterval", 0],
  ["refillInterval", 36_501],
  ["rateLimitTimeWindow", 0],
  ["rateLimitTimeWindow", 31_536_000_001],
  ["rateLimitMax", 0],
  ["rateLimitMax", 2 ** 31],
  ["rateLimitEnabled", "true"],
  ["rateLimitEnabled", null],
  ["permissions", []],
  ["permissions", "all"],
  ["permissions", { invoice: "read" }],
  ["permissions", { invoice: [1] }],
  ["permissions", { invoice: [""] }],
  ["permissions", { "": ["read"] }],
  ["permissions", { "\0": ["read"] }],
  ["permissions", Object.fromEntries(Array.from({ length: 101 }, (_, index) => [index, []]))],
  ["metadata", { text: long(16_384) }],
];
const malformedOfCreation: typeof malformed = [
  ["prefix", ""],
  ["prefix", "with space"],
  ["prefix", "line\n"],
  ["prefix", "ümlaut"],
  ["prefix", "dot."],
  ["prefix", null],
  ["prefix", long(10_001)],
  ["permissions", null],
];
const malformedOfUpdate: typeof malformed = [
  ["keyId", undefined],
  ["keyId", 5],
  ["keyId", null],
  ["keyId", "\0"],
  ["keyId", long(256)],
  ["enabled", "true"],
  ["enabled", null],
  ["remaining", 0],
  ["remaining", null],
];

/** Metadata that is rejected, as JSON. */
const refusedMetadata = [
  `"text"`,
  `1`,
  `true`,
  `{"__proto__":{"admin":true}}`,
  `{"constructor":1}`,
  `{"prototype":null}`,
  `{"a":[{"b":{"__proto__":1}}]}`,
  `[{"constructor":{"prototype":{}}}]`,
];

const expectInvalid = async (answer: ReturnType<typeof callOperation>, member: string) => {
  const { status, body, cookies } = await answer;
  const { issues, ...error } = body as { issues: { path: string }[] };
  expect([status, error, cookies]).toEqual([
    400,
    { code: "VALIDATION_ERROR", message: "Invalid body parameters" },
    [],
  ]);
  expect(issues.map(({ path }) => path.split(".")[0])).toEqual(issues.map(() => member));
};

describe("create", () => {
  test("returns the whole key, and its text only in this answer", async () => {
    const { key, ...shown } = await createKey(ada);
    expect(shown).toStrictEqual(plainKey());
    expect([shown.start, shown.createdAt]).toEqual([key.slice(0, 6), shown.updatedAt]);
    expect(key).toMatch(/^[A-Za-z]{64}$/);
    const later = [
      await getKey(ada, shown.id),
      ...(await listKeys(ada)),
      await updateKey(ada, shown.id, { name: "new" }),
      (await verify(system, key)).key,
    ];
    for (const view of later) expect(Object.keys(view ?? {})).toEqual(Object.keys(shown));
    expect(JSON.stringify(later)).not.toContain(key);
    expect(await apiKeyAudit(rows, shown.id)).toMatchObject([
      { action: "api-key.created", ...byUser(ada) },
      { action: "api-key.updated", ...byUser(ada) },
    ]);
  });

  test("no two keys are equal", async () => {
    const keys = await race(() => createKey(ada));
    expect(new Set(keys.map(({ key }) => key)).size).toBe(keys.length);
    expect(await listKeys(ada)).toHaveLength(keys.length);
  });

  test.each([
    [{ name: "Backup of my laptop" }],
    [{ name: "" }],
    [{ name: "x" }],
    [{ name: long(32) }],
    [{ metadata: { plan: "free", limits: [1, { deep: null }] } }],
    [{ metadata: ["a", 1, null] }],
    [{ metadata: {} }],
  ])("stores %j unchanged", async (input) => {
    const { key: _, ...shown } = await createKey(ada, input);
    expect(shown).toStrictEqual({ ...plainKey(), ...input });
    expect(await getKey(ada, shown.id)).toStrictEqual(shown);
  });

  /** Attack: metadata nested so deeply that recursion overflows the system. */
  test("stores and returns metadata as deeply nested as its length allows", async () => {
    const depth = 8_000;
    const text = "[".repeat(depth) + "]".repeat(depth);
    const { id, key } = await createKey(ada, { metadata: JSON.parse(text) as unknown });
    const shown = [
      await getKey(ada, id),
      ...(await listKeys(ada)),
      (await verify(system, key)).key,
    ];
    for (const view of shown) expect(JSON.stringify(view?.metadata) === text).toBe(true);
  });

  test.each(["x", "acme_live-1", long(32)])(
    "a key with the prefix %s begins with it and is as random as any other",
    async (prefix) => {
      const { key, ...shown } = await createKey(ada, { prefix });
      expect(shown).toMatchObject({ prefix, start: key.slice(0, 6) });
      expect([key.slice(0, prefix.length), key.slice(prefix.length)]).toEqual([
        prefix,
        expect.stringMatching(/^[A-Za-z]{64}$/),
      ]);
      expect(await verificationCode(system, key)).toBeNull();
    },
  );

  test.each([null, 0, "", false])("rejects metadata %j", async (metadata) => {
    expect((await createKey(ada, { metadata })).metadata).toBeNull();
  });

  test.each([daySeconds, daySeconds + 0.5, yearSeconds])(
    "a key may expire in %d seconds",
    async (expiresIn) => {
      const created = await createKey(ada, { expiresIn });
      expect(secondsLeft(created, created.createdAt)).toBe(expiresIn);
    },
  );

  test.each([{ expiresIn: null }, { remaining: null }, { userId: null }])(
    "%j is the same as no value",
    async (input) => {
      const { key: _, ...shown } = await createKey(ada, input);
      expect(shown).toStrictEqual(plainKey());
    },
  );

  test("accepts one's own id as the owner", async () => {
    expect((await createKey(ada, { userId: ada.user.id })).userId).toBe(ada.user.id);
  });

  test("rejects a malformed member, and names it", async () => {
    for (const [member, value] of [...malformed, ...malformedOfCreation])
      await expectInvalid(create({ [member]: value }), member);
    expect(await listKeys(ada)).toEqual([]);
  });

  test("rejects metadata that is no object, or changes prototypes", async () => {
    for (const text of refusedMetadata) {
      const body = JSON.parse(`{"metadata":${text}}`) as object;
      expect([text, await create(body)]).toEqual([text, errors.metadataType]);
    }
    expect(await listKeys(ada)).toEqual([]);
  });

  test.each([
    [{ expiresIn: 1 }, errors.expiresTooSoon],
    [{ expiresIn: daySeconds - 1 }, errors.expiresTooSoon],
    [{ expiresIn: yearSeconds + 1 }, errors.expiresTooLate],
    [{ expiresIn: 1e300 }, errors.expiresTooLate],
    [{ prefix: long(33) }, errors.prefixLength],
    [{ prefix: long(10_000) }, errors.prefixLength],
    [{ name: long(33) }, errors.nameLength],
    [{ name: long(10_000) }, errors.nameLength],
  ])("%j is out of bounds", async (body, expected) => {
    expect(await create(body)).toEqual(expected);
    expect(await listKeys(ada)).toEqual([]);
  });

  const checks = checksInOrder<{ body: { code: string } }>([
    [{ expiresIn: 0 }, validationError("body", "expiresIn")],
    [{ userId: "somebody else" }, errors.invalidSession],
    [{ remaining: 1 }, errors.serverOnly],
    [{ metadata: "text" }, errors.metadataType],
    [{ expiresIn: 1 }, errors.expiresTooSoon],
    [{ prefix: long(33) }, errors.prefixLength],
    [{ name: long(33) }, errors.nameLength],
  ]);
  test.each(checks)("of several errors, reports $code first", async ({ body, expected }) => {
    expect(await create(body)).toEqual(expected);
  });
});

describe("get", () => {
  test("returns one's own key", async () => {
    const { key: _, ...shown } = await createKey(ada, { name: "mine" });
    expect(await getKey(ada, shown.id)).toStrictEqual(shown);
  });

  test("an unknown key is not found", async () => {
    const query = { id: "nothing" };
    expect(await callOperation(ada, apiKeyOperations.getApiKey, { query })).toEqual(
      errors.notFound,
    );
  });

  test.each([{}, { id: "\0" }, { id: long(256) }])(
    "rejects %j as a key id, and names the invalid member",
    async (query) => {
      expect(await callOperation(ada, apiKeyOperations.getApiKey, { query })).toEqual(
        validationError("query", "id"),
      );
    },
  );
});

describe("list", () => {
  test("is empty for a user without keys", async () => {
    expect(await listKeys(ada)).toEqual([]);
  });

  test("returns whole keys of the caller only, oldest first", async () => {
    await createKey(bob);
    const created: ApiKeyView[] = [];
    for (const name of ["first", "second", "third"]) {
      const { key: _, ...shown } = await createKey(ada, { name });
      created.push(shown);
    }
    expect(await listKeys(ada)).toStrictEqual(created);
  });

  test("limit and offset select a part, a hundred keys by default", async () => {
    await rows.query(
      `insert into apikey.api_key (id, key, user_id, created_at, updated_at)
       select $1 || n, $1 || n, $1, now() + n * interval '1 second', now() from generate_series(1, 1001) n`,
      ada.user.id,
    );
    const idsOf = async (query: object) =>
      (await listKeys(ada, query)).map(({ id }) => Number(id.slice(ada.user.id.length)));
    const run = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, index) => from + index);
    expect(await idsOf({})).toEqual(run(1, 100));
    expect(await idsOf({ limit: 2 })).toEqual([1, 2]);
    expect(await idsOf({ limit: 2, offset: 3 })).toEqual([4, 5]);
    expect(await idsOf({ limit: 1_000 })).toEqual(run(1, 1_000));
    expect(await idsOf({ limit: 1_000, offset: 1_000 })).toEqual([1_001]);
    expect(await idsOf({ offset: 1_001 })).toEqual([]);
    for (const nothing of ["0", ""])
      expect(await idsOf({ limit: nothing, offset: nothing })).toEqual(run(1, 100));
  });

  test.each([
    ["limit", "-1"],
    ["limit", "1001"],
    ["limit", "1.5"],
    ["limit", "many"],
    ["offset", "-1"],
    ["offset", "1.5"],
    ["offset", "1e999"],
  ])("rejects %s %s", async (member, value) => {
    const answer = callOperation(ada, apiKeyOperations.listApiKeys, { query: { [member]: value } });
    expect(await answer).toEqual(validationError("query", member));
  });
});

describe("update", () => {
  test.each([
    [{ name: "new" }],
    [{ name: long(32) }],
    [{ enabled: false }],
    [{ metadata: { plan: "paid" } }],
    [{ metadata: [1, [2]] }],
    [{ metadata: null }],
  ])("%j changes only that and the time of the change", async (input) => {
    const { id } = await createKey(ada, { name: "old", metadata: { plan: "free" } });
    await rows.query(
      "update apikey.api_key set updated_at = created_at - interval '1 day' where id = $1",
      id,
    );
    const before = await getKey(ada, id);
    const after = await updateKey(ada, id, input);
    expect(after).toStrictEqual({ ...before, ...input, updatedAt: after.updatedAt });
    expect(Date.parse(after.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt));
    expect(await getKey(ada, id)).toStrictEqual(after);
  });

  test("an expiry counts from now, and null removes it", async () => {
    const { id } = await createKey(ada, { expiresIn: daySeconds });
    for (const expiresIn of [daySeconds, yearSeconds]) {
      const updated = await updateKey(ada, id, { expiresIn });
      expect(secondsLeft(updated, updated.updatedAt)).toBe(expiresIn);
    }
    expect((await updateKey(ada, id, { expiresIn: null })).expiresAt).toBeNull();
  });

  test("an edit does not count as a use and restores none", async () => {
    const { id, key } = await createKeyFor(system, ada, { remaining: 3 });
    await verify(system, key);
    const { name: _name, updatedAt: _updatedAt, ...used } = await getKey(ada, id);
    expect(used).toMatchObject({ remaining: 2, requestCount: 1, lastRequest: isoTime });
    for (const name of ["once", "again"])
      expect(await updateKey(ada, id, { name })).toMatchObject({ ...used, name });
  });

  test("the owner disables and enables a key at once", async () => {
    const { id, key } = await createKey(ada);
    await updateKey(ada, id, { enabled: false });
    expect(await verificationCode(system, key)).toBe("KEY_DISABLED");
    await updateKey(ada, id, { enabled: true });
    expect(await verificationCode(system, key)).toBeNull();
    expect((await apiKeyAudit(rows, id)).map(({ action }) => action)).toEqual([
      "api-key.created",
      "api-key.updated",
      "api-key.updated",
    ]);
  });
});

describe("an update", () => {
  const shared = shareKey();

  test("rejects a malformed member, and names it", async () => {
    const before = await hashApiKeyTables(rows);
    for (const [member, value] of [...malformed, ...malformedOfUpdate])
      await expectInvalid(update({ ...shared, [member]: value }), member);
    expect(await hashApiKeyTables(rows)).toEqual(before);
  });

  test("rejects metadata that becomes no object, or changes prototypes", async () => {
    const { keyId } = shared;
    for (const text of [...refusedMetadata, `0`, `""`, `false`]) {
      const body = JSON.parse(`{"keyId":"${keyId}","metadata":${text}}`) as object;
      expect([text, await update(body)]).toEqual([text, errors.metadataType]);
    }
    expect((await getKey(ada, keyId)).metadata).toEqual({ plan: "free" });
  });

  test.each([
    [{ name: "" }, errors.nameLength],
    [{ name: long(33) }, errors.nameLength],
    [{ name: long(10_000) }, errors.nameLength],
    [{ expiresIn: daySeconds - 1 }, errors.expiresTooSoon],
    [{ expiresIn: yearSeconds + 1 }, errors.expiresTooLate],
    [{ expiresIn: 1e300 }, errors.expiresTooLate],
    [{}, errors.nothingToUpdate],
    [{ userId: null }, errors.nothingToUpdate],
  ])("rejects %j and changes nothing", async (input, expected) => {
    const before = await hashApiKeyTables(rows);
    expect(await update({ ...shared, ...input })).toEqual(expected);
    expect(await hashApiKeyTables(rows)).toEqual(before);
  });

  const checks = checksInOrder<{ body: { code: string } }>([
    [{ expiresIn: 0 }, validationError("body", "expiresIn")],
    [{ userId: "somebody else" }, errors.invalidSession],
    [{ permissions: null }, errors.serverOnly],
    [{ keyId: "nothing" }, errors.notFound],
    [{ name: "" }, errors.nameLength],
    [{ expiresIn: 1 }, errors.expiresTooSoon],
    [{ metadata: "text" }, errors.metadataType],
    [{}, errors.nothingToUpdate],
  ]);
  test.each(checks)("of several errors, reports $code first", async ({ body, expected }) => {
    expect(await update({ ...shared, ...body })).toEqual(expected);
  });
});

describe("delete", () => {
  test("a key is deleted at once, and the audit log names the actor", async () => {
    const { id, key } = await createKey(ada);
    expect(await deleteKey(ada, id)).toStrictEqual({ success: true });
    const query = { id };
    expect(await callOperation(ada, apiKeyOperations.getApiKey, { query })).toEqual(
      errors.notFound,
    );
    expect(await verificationCode(system, key)).toBe("INVALID_API_KEY");
    expect((await apiKeyAudit(rows, id)).at(-1)).toEqual({
      action: "api-key.deleted",
      ...byUser(ada),
    });
  });

  matrixTest("one of 16 concurrent calls deletes the key", async () => {
    const { id: keyId } = await createKey(ada);
    const answers = await race(() =>
      callOperation(ada, apiKeyOperations.deleteApiKey, { body: { keyId } }),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(answer).toEqual(errors.notFound);
    const deleted = (await apiKeyAudit(rows, keyId)).filter(
      ({ action }) => action === "api-key.deleted",
    );
    expect(deleted).toHaveLength(1);
  });

  test.each([{}, { keyId: 5 }, { keyId: null }, { keyId: "\0" }, { keyId: long(256) }])(
    "rejects %j as a key id, and names the invalid member",
    async (body) => {
      expect(await callOperation(ada, apiKeyOperations.deleteApiKey, { body })).toEqual(
        validationError("body", "keyId"),
      );
    },
  );
});

describe("usage", () => {
  const usageOf = (id: string, query: object = {}) =>
    expectOk(
      callOperation<ApiKeyUsage>(ada, apiKeyOperations.readApiKeyUsage, {
        query: { id, ...query },
      }),
    );

  test("an unused key has no days", async () => {
    const { id } = await createKey(ada);
    expect(await usageOf(id)).toStrictEqual({ days: [] });
  });

  test("uses are counted by day and outcome, including those of a deleted key", async () => {
    const { id, key } = await createKey(ada);
    await verify(system, key);
    await verify(system, key);
    await verify(system, key, { invoice: ["pay"] });
    await updateKey(ada, id, { enabled: false });
    await verify(system, key);
    const counts = { valid: 2, forbidden: 1, disabled: 1 };
    await untilUsage(() => usageOf(id), counts);
    const [first] = (await usageOf(id)).days;
    expect(Object.keys(first ?? {}).toSorted()).toEqual([
      "day",
      "disabled",
      "exhausted",
      "expired",
      "forbidden",
      "rateLimited",
      "valid",
    ]);
    expect(first?.day).toMatch(/^\d{4}-\d\d-\d\d$/);
    await deleteKey(ada, id);
    expect(sumUsage(await usageOf(id))).toEqual(counts);
  });

  test("returns the requested days, both included, or the last thirty", async () => {
    const { id } = await createKey(ada);
    const add = (day: string) =>
      rows.query(
        `insert into apikey.key_usage (key_id, day, user_id, valid) values ($1, ${day}, $2, 1)`,
        id,
        ada.user.id,
      );
    for (const day of ["2020-02-28", "2020-02-29", "2020-03-01"]) await add(`'${day}'`);
    for (const daysAgo of [28, 31]) await add(`(now() at time zone 'UTC')::date - ${daysAgo}`);
    const daysOf = async (query: object) => (await usageOf(id, query)).days.map(({ day }) => day);
    expect(await daysOf({ from: "2020-02-29", to: "2020-03-01" })).toEqual([
      "2020-02-29",
      "2020-03-01",
    ]);
    expect(await daysOf({ to: "2020-02-28" })).toEqual(["2020-02-28"]);
    expect(await daysOf({})).toHaveLength(1);
  });

  test.each([
    ["from", { from: "yesterday" }],
    ["from", { from: "2020-02-30" }],
    ["to", { to: "2020-1-1" }],
    ["to", { to: "2020-01-01T00:00:00Z" }],
    ["from", { from: "2020-01-02", to: "2020-01-01" }],
    ["from", { from: "2020-01-01", to: "2021-01-01" }],
    ["from", { from: "0000-01-01", to: "0000-01-02" }],
  ])("rejects %s in %j", async (member, query) => {
    const id = "nothing";
    const { body, ...answer } = await callOperation(ada, apiKeyOperations.readApiKeyUsage, {
      query: { id, ...query },
    });
    expect({ ...answer, body }).toMatchObject({
      ...validationError("query"),
      body: { code: "VALIDATION_ERROR", issues: expect.anything() },
    });
    expect((body as { issues: { path: string }[] }).issues[0]?.path).toBe(member);
  });

  test("an unknown key is not found", async () => {
    const query = { id: "nothing" };
    expect(await callOperation(ada, apiKeyOperations.readApiKeyUsage, { query })).toEqual(
      errors.notFound,
    );
  });
});

const owned = Object.values(apiKeyOperations).filter(
  ({ exposure, access }: Operation) => exposure === "public" && access === "session",
) as Operation[];

/** The input of each operation for a key. */
const askedAbout = (keyId: string): Record<string, object> => ({
  createApiKey: { body: {} },
  getApiKey: { query: { id: keyId } },
  listApiKeys: {},
  updateApiKey: { body: { keyId, name: "taken" } },
  rerollApiKey: { body: { keyId } },
  deleteApiKey: { body: { keyId } },
  readApiKeyUsage: { query: { id: keyId } },
});

describe("access", () => {
  const shared = shareKey();

  test("every operation requires a session", async () => {
    const before = await hashApiKeyTables(rows);
    for (const declared of owned) {
      const { name, signedOut = "UNAUTHORIZED" } = declared;
      const refusal = [errors.invalidSession, errors.unauthorized].find(
        ({ body }) => body.code === wireCode(signedOut as "UNAUTHORIZED"),
      );
      const sent = askedAbout(shared.keyId)[name];
      expect([name, await callOperation(newClient(system), declared, sent)]).toEqual([
        name,
        refusal,
      ]);
    }
    expect(await hashApiKeyTables(rows)).toEqual(before);
  });

  /** Attack: naming a user as the owner of a key without a session, and so impersonating them. */
  test.each([{}, servicesOnly])(
    "a caller without a session cannot create a key for a user by naming them, with %j",
    async (own) => {
      const before = await hashApiKeyTables(rows);
      const body = { userId: ada.user.id, ...own };
      const nobody = newClient(system);
      expect(await callOperation(nobody, apiKeyOperations.createApiKey, { body })).toEqual(
        errors.invalidSession,
      );
      expect(
        await callOperation(nobody, apiKeyOperations.updateApiKey, {
          body: { ...body, ...shared, name: "taken" },
        }),
      ).toEqual(errors.invalidSession);
      expect(await hashApiKeyTables(rows)).toEqual(before);
    },
  );

  test("input errors are reported before authentication errors", async () => {
    const body = { expiresIn: 0 };
    expect(await callOperation(newClient(system), apiKeyOperations.createApiKey, { body })).toEqual(
      validationError("body", "expiresIn"),
    );
  });

  const names = Object.entries(servicesOnly).flatMap(([name, value]) =>
    (["createApiKey", "updateApiKey"] as const).map((operation) => ({ operation, name, value })),
  );
  const members = [
    ...names,
    { operation: "updateApiKey", name: "permissions", value: null } as const,
    { operation: "createApiKey", name: "remaining", value: 0 } as const,
  ];

  /** Attack: naming an owner in order to pass as a service. */
  test("members of services are rejected from an owner, whoever is named as the owner", async () => {
    const before = await hashApiKeyTables(rows);
    for (const { operation, name, value } of members) {
      const own = operation === "createApiKey" ? {} : shared;
      const answerTo = async (owner: object) => [
        operation,
        name,
        await callOperation(ada, apiKeyOperations[operation], {
          body: { ...own, [name]: value, ...owner },
        }),
      ];
      for (const owner of [{}, { userId: ada.user.id }, { userId: null }])
        expect(await answerTo(owner)).toEqual([operation, name, errors.serverOnly]);
      for (const userId of [bob.user.id, 5])
        expect(await answerTo({ userId })).toEqual([operation, name, errors.invalidSession]);
    }
    expect(await hashApiKeyTables(rows)).toEqual(before);
  });
});

describe("access of admins who impersonate the owner", () => {
  /** Attack: an admin who impersonates a user creates or removes keys, which outlasts the impersonation. */
  test.each(["createApiKey", "updateApiKey", "rerollApiKey", "deleteApiKey"] as const)(
    "%s rejects admins who impersonate the owner",
    async (operation) => {
      const { id } = await createKey(ada);
      await impersonateInRows(system, rows, ada.user.id);
      const before = await hashApiKeyTables(rows);
      expect(
        await callOperation(ada, apiKeyOperations[operation], askedAbout(id)[operation]),
      ).toEqual(errors.forbidden);
      expect(await hashApiKeyTables(rows)).toEqual(before);
    },
  );

  test.each(["getApiKey", "listApiKeys", "readApiKeyUsage"] as const)(
    "%s returns to admins who impersonate the owner what the owner sees",
    async (operation) => {
      const { id } = await createKey(ada);
      const sent = askedAbout(id)[operation];
      const own = await callOperation(ada, apiKeyOperations[operation], sent);
      await impersonateInRows(system, rows, ada.user.id);
      expect(await callOperation(ada, apiKeyOperations[operation], sent)).toEqual(own);
    },
  );

  test("no operation can be called without the gateway", async () => {
    const refused = errorResponse(403, "FORBIDDEN", "Forbidden");
    for (const { exposure, method, name, path } of Object.values<Operation>(apiKeyOperations)) {
      if (exposure !== "public") continue;
      const headers = { authorization: `Bearer ${ada.token}` };
      const answer = fetch(`${system.urlOf("apikey")}${path}`, { method, headers });
      expect([name, await readResponse(await answer)]).toEqual([name, refused]);
    }
  });
});
