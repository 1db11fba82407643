import { adminStatements } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { beforeEach, describe, expect, test } from "vitest";
import { matrixTest } from "../harness/matrix.ts";
import { errors, refusedVerifications, validationError } from "../harness/api-key-errors.ts";
import {
  type AdminKey,
  apiKeyConfig,
  apiKeyOperations,
  type ApiKeyUsage,
  createKey,
  createKeyFor,
  getKey,
  hashApiKeyTables,
  type ListedKeys,
  type RerolledKey,
  sumUsage,
  untilUsage,
  updateKey,
  verify,
} from "../harness/api-keys.ts";
import { apiKeyAudit, byUser } from "../harness/audit.ts";
import { callOperation, expectOk } from "../harness/operations.ts";
import { race } from "../harness/race.ts";
import { openRows } from "../harness/rows.ts";
import { useSystem } from "../harness/use-system.ts";
import { callAdmin, signUp, signUpAs, type TestUser } from "../harness/users.ts";

expectNoLeaks("file");

const everything = Object.fromEntries(
  Object.entries(adminStatements).map(([resource, actions]) => [resource, [...actions]]),
);

let ada: TestUser;
const { system, rows, admin } = useSystem({
  stores: "postgres",
  config: apiKeyConfig(
    { enableMetadata: true },
    {
      admin: {
        roles: {
          admin: everything,
          user: {},
          creator: { apiKey: ["list", "create"] },
          updater: { apiKey: ["list", "update"] },
        },
      },
    },
  ),
});
beforeEach(async () => {
  ada = await signUp(system);
});

const list = (query: object) =>
  expectOk(
    callOperation<ListedKeys>(admin, apiKeyOperations.adminListApiKeys, { query: { ...query } }),
  );
const idsOf = ({ apiKeys }: ListedKeys) => apiKeys.map(({ id }) => id);
const act = (name: "adminDisableApiKey" | "adminEnableApiKey" | "adminDeleteApiKey", id: string) =>
  callOperation(admin, apiKeyOperations[name], { params: { id } });
const disable = (id: string) => expectOk(act("adminDisableApiKey", id)) as Promise<AdminKey>;
const enable = (id: string) => expectOk(act("adminEnableApiKey", id)) as Promise<AdminKey>;

/** Creates keys of a user with old timestamps, the last two of them equal. Returns their ids, oldest first. */
const seed = async (userId: string, count: number): Promise<string[]> => {
  const inserted = await rows.query(
    `insert into apikey.api_key (id, key, user_id, created_at, updated_at)
     select $1 || lpad(n::text, 3, '0'), $1 || n, $1,
       timestamptz '2020-01-01' + least(n, $2::integer - 1) * interval '1 minute', now()
     from generate_series(1, $2::integer) n returning id`,
    userId,
    count,
  );
  return inserted.map(({ id }) => String(id)).toSorted();
};

describe("list", () => {
  test("keys are returned as their owners see them, with the owner and without their text", async () => {
    const own = { name: "billing", prefix: "acme_", metadata: { plan: "free" }, remaining: 5 };
    const { key, ...shown } = await createKeyFor(system, ada, own);
    const listed = await list({ userId: ada.user.id });
    expect(listed).toStrictEqual({
      apiKeys: [
        {
          ...shown,
          disabledByAdmin: false,
          successorId: null,
          organization: null,
          user: { id: ada.user.id, name: "Ada", email: ada.email, image: null },
        },
      ],
      total: 1,
    });
    expect(JSON.stringify(listed)).not.toContain(key);
  });

  test("a key whose owner is unknown to identity has no user", async () => {
    const [id] = await seed("somebody-gone", 1);
    expect((await list({ userId: "somebody-gone" })).apiKeys).toMatchObject([{ id, user: null }]);
  });

  test("keys are found by the whole prefix, and by the start of their first letters", async () => {
    const one = await createKey(ada, { prefix: "findme_" });
    const two = await createKey(ada, { prefix: "findme_too_" });
    await createKey(ada, { prefix: "another_" });
    const idsBy = async (query: object) => idsOf(await list({ userId: ada.user.id, ...query }));
    expect(await idsBy({ prefix: "findme_" })).toEqual([one.id]);
    expect(await idsBy({ prefix: "findme_too_" })).toEqual([two.id]);
    for (const prefix of ["findme", "FINDME_", "findme%", "nobody_", "\\"])
      expect(await idsBy({ prefix })).toEqual([]);
    for (const start of ["f", "findm", "findme"])
      expect(await idsBy({ start })).toEqual([one.id, two.id]);
    for (const start of ["F", "%", "_indme", "findme_", "\\", "%indme"])
      expect(await idsBy({ start })).toEqual([]);
    expect(idsOf(await list({ prefix: "findme_" }))).toEqual([one.id]);
    expect(idsOf(await list({ start: "findme" }))).toEqual([one.id, two.id]);
  });

  test("keys are filtered by state: enabled excludes disabled ones and expired ones", async () => {
    const [plain, later, byOwner, byAdmin, expired] = [
      await createKey(ada),
      await createKey(ada, { expiresIn: 86_400 }),
      await createKey(ada),
      await createKey(ada),
      await createKey(ada, { expiresIn: 86_400 }),
    ];
    await updateKey(ada, byOwner.id, { enabled: false });
    await disable(byAdmin.id);
    // The sweeper skips locked rows.
    const holder = openRows(system);
    try {
      await holder.query("begin");
      await holder.query("select from apikey.api_key where id = $1 for key share", expired.id);
      await rows.query(
        "update apikey.api_key set expires_at = now() - interval '1 second' where id = $1",
        expired.id,
      );
      const idsIn = async (state?: string) =>
        idsOf(await list({ userId: ada.user.id, ...(state && { state }) }));
      expect(await idsIn("enabled")).toEqual([plain.id, later.id]);
      expect(await idsIn("disabled")).toEqual([byOwner.id, byAdmin.id]);
      expect(await idsIn("expired")).toEqual([expired.id]);
      expect(await idsIn()).toEqual([plain, later, byOwner, byAdmin, expired].map(({ id }) => id));
      await rows.query("update apikey.api_key set expires_at = null where id = $1", expired.id);
    } finally {
      await holder.query("rollback");
      await holder.close();
    }
  });

  test.each([3, 7, 20])(
    "pages of %d return every key once, by cursor and by offset, in both directions",
    async (limit) => {
      const userId = ada.user.id;
      const ids = await seed(userId, 20);
      for (const sortDirection of ["asc", "desc"] as const) {
        const wanted = sortDirection === "asc" ? ids : ids.toReversed();
        const byCursor: string[] = [];
        let cursor: string | undefined;
        do {
          const page = await list({ userId, limit, sortDirection, ...(cursor && { cursor }) });
          expect([page.total, page.totalIsEstimate]).toEqual([20, undefined]);
          byCursor.push(...idsOf(page));
          cursor = page.nextCursor;
        } while (cursor);
        expect(byCursor).toEqual(wanted);
        const byOffset: string[] = [];
        for (let offset = 0; offset < 20; offset += limit)
          byOffset.push(...idsOf(await list({ userId, limit, offset, sortDirection })));
        expect(byOffset).toEqual(wanted);
      }
    },
  );

  test("a cursor continues after its position, whatever is created and deleted meanwhile", async () => {
    const userId = ada.user.id;
    const ids = await seed(userId, 4);
    const { nextCursor: cursor } = await list({ userId, limit: 2 });
    await act("adminDeleteApiKey", ids[1] ?? "");
    const { id: later } = await createKey(ada);
    const page = await list({ userId, cursor });
    expect([idsOf(page), page.total]).toEqual([[ids[2], ids[3], later], 4]);
  });

  test("keys are sorted oldest first, or newest first on request", async () => {
    const [oldest] = await seed(ada.user.id, 2);
    await rows.query("update apikey.api_key set created_at = '2000-01-01' where id = $1", oldest);
    const { id: youngest } = await createKey(ada);
    expect(idsOf(await list({ limit: 1 }))).toEqual([oldest]);
    expect(idsOf(await list({ limit: 1, sortDirection: "desc" }))).toEqual([youngest]);
    const [{ count } = {}] = await rows.query("select count(*)::integer from apikey.api_key");
    expect((await list({})).total).toBe(count);
  });

  test("a total above ten thousand is marked as an estimate", async () => {
    await rows.query(
      `insert into apikey.api_key (id, key, user_id, prefix, start, created_at, updated_at)
       select 'bulk' || n, 'bulk' || n, 'bulk', 'bulk_', 'bulk_a', now(), now() from generate_series(1, 10001) n`,
    );
    await rows.query("analyze apikey.api_key");
    for (const query of [{ userId: "bulk" }, { prefix: "bulk_" }, { start: "bulk" }, {}]) {
      const { total, totalIsEstimate, apiKeys } = await list({ ...query, limit: 1 });
      expect([totalIsEstimate, apiKeys.length]).toEqual([true, 1]);
      expect(total).toBeGreaterThan(10_000);
    }
    await rows.query("delete from apikey.api_key where id = 'bulk1'");
    expect(await list({ userId: "bulk", limit: 1 })).toMatchObject({ total: 10_000 });
  });

  const ofOtherOrder = Buffer.from(
    JSON.stringify(["createdAt", "desc", new Date(0).toISOString(), "id"]),
  ).toString("base64url");
  test.each([
    ["limit", "-1"],
    ["limit", "1001"],
    ["limit", "1.5"],
    ["limit", "many"],
    ["limit", "x".repeat(33)],
    ["offset", "-1"],
    ["offset", "first"],
    ["cursor", "garbage"],
    ["cursor", ofOtherOrder],
    ["cursor", "x".repeat(1_025)],
    ["sortDirection", "up"],
    ["state", "banned"],
    ["state", ""],
    ["userId", ""],
    ["userId", "\0"],
    ["prefix", "\0"],
    ["prefix", "x".repeat(256)],
    ["start", "x".repeat(256)],
  ])("rejects %s %s", async (member, value) => {
    const answer = callOperation(admin, apiKeyOperations.adminListApiKeys, {
      query: { [member]: value },
    });
    expect(await answer).toEqual(validationError("query", member));
  });
});

describe("update", () => {
  const update = (id: string, body: object) =>
    callOperation<AdminKey>(admin, apiKeyOperations.adminUpdateApiKey, { params: { id }, body });

  test("new limits apply to the next use, and the audit log names the admin", async () => {
    const { id, key } = await createKey(ada);
    expect(await expectOk(update(id, { remaining: 1, permissions: { files: ["read"] } }))).toEqual({
      ...(await getKey(ada, id)),
      disabledByAdmin: false,
      successorId: null,
    });
    expect((await verify(system, key, { files: ["read"] })).valid).toBe(true);
    expect(await verify(system, key)).toStrictEqual(refusedVerifications.exhausted);
    expect((await apiKeyAudit(rows, id))[1]).toEqual({
      action: "api-key.updated",
      ...byUser(admin),
    });
  });

  /** Attack: an admin who may disable keys gives a key of their own more. */
  test("of more than the name and metadata requires the permission to create keys", async () => {
    const updater = await signUpAs(system, "updater");
    const { id } = await createKey(updater);
    const updateBy = (body: object) =>
      callOperation(updater, apiKeyOperations.adminUpdateApiKey, { params: { id }, body });
    const before = await hashApiKeyTables(rows);
    for (const body of [{ permissions: { files: ["pay"] } }, { name: "New", remaining: null }])
      expect(await updateBy(body)).toMatchObject({
        status: 403,
        body: { code: "YOU_ARE_NOT_ALLOWED_TO_CREATE_API_KEYS" },
      });
    expect(await hashApiKeyTables(rows)).toEqual(before);
    expect((await updateBy({ name: "New", metadata: { plan: "b" } })).status).toBe(200);
  });

  test.each([
    ["remaining", -1],
    ["refillAmount", 0],
    ["rateLimitMax", 2 ** 31],
    ["rateLimitTimeWindow", "soon"],
    ["permissions", { files: "read" }],
  ])("%s %j is refused, and changes nothing", async (name, value) => {
    const { id } = await createKey(ada);
    const before = await hashApiKeyTables(rows);
    expect((await update(id, { [name]: value })).status).toBe(400);
    expect(await hashApiKeyTables(rows)).toEqual(before);
  });
});

describe("re-roll", () => {
  const reroll = (client: TestUser, id: string, body: object = {}) =>
    callOperation<RerolledKey>(client, apiKeyOperations.adminRerollApiKey, {
      params: { id },
      body,
    });

  test("returns a new key once, and both keys are valid with one count of uses", async () => {
    const old = await createKeyFor(system, ada, { name: "CI", remaining: 3 });
    const { key, retiredKey, ...shown } = await expectOk(reroll(admin, old.id));
    expect(retiredKey.id).toBe(old.id);
    expect(shown).toMatchObject({ name: "CI", remaining: 3, userId: ada.user.id });
    for (const text of [old.key, key, old.key])
      expect((await verify(system, text)).valid).toBe(true);
    expect(await verify(system, key)).toStrictEqual(refusedVerifications.exhausted);
    expect((await apiKeyAudit(rows, old.id)).at(-1)).toEqual({
      action: "api-key.rerolled",
      ...byUser(admin),
    });
    expect((await apiKeyAudit(rows, shown.id))[0]).toEqual({
      action: "api-key.created",
      ...byUser(admin),
    });
  });

  matrixTest(
    "succeeds once among 16 callers, and the list shows the successor of the old key",
    async () => {
      const { id } = await createKey(ada);
      const answers = await race(() => reroll(admin, id));
      const won = answers.filter(({ status }) => status === 200);
      expect(won).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(15);
      expect(answers).toContainEqual(errors.retired);
      const { apiKeys } = await list({ userId: ada.user.id });
      const successorId = won[0]?.body.id;
      expect(apiKeys).toMatchObject([
        { id, successorId },
        { id: successorId, successorId: null },
      ]);
    },
  );

  /** Attack: an admin who may only create keys ends those of others, or one who may only change keys gets one. */
  test.each(["creator", "updater"])("is refused to a %s", async (role) => {
    const { id } = await createKey(ada);
    const client = await signUpAs(system, role);
    const before = await hashApiKeyTables(rows);
    expect((await reroll(client, id)).status).toBe(403);
    expect(await hashApiKeyTables(rows)).toEqual(before);
  });

  test.each([-1, 0.5, 2_592_001, "a day"])("refuses an overlap of %j", async (overlapSeconds) => {
    const { id } = await createKey(ada);
    expect(await reroll(admin, id, { overlapSeconds })).toEqual(
      validationError("body", "overlapSeconds"),
    );
  });

  test("of an unknown key is not found", async () => {
    expect(await reroll(admin, "nothing")).toEqual(errors.notFound);
  });
});

describe("disable", () => {
  test("a key is refused at once, and only an admin can enable it again", async () => {
    const { key, ...shown } = await createKey(ada);
    const disabled = await disable(shown.id);
    expect(disabled).toStrictEqual({
      ...shown,
      enabled: false,
      disabledByAdmin: true,
      successorId: null,
      updatedAt: disabled.updatedAt,
    });
    expect(await verify(system, key)).toStrictEqual(refusedVerifications.disabled);
    const { disabledByAdmin: _, successorId: _s, ...asOwner } = disabled;
    expect(await getKey(ada, shown.id)).toStrictEqual(asOwner);

    /** Attack: the owner lifts the admin's block. */
    expect((await updateKey(ada, shown.id, { enabled: true })).enabled).toBe(false);
    expect(await verify(system, key)).toStrictEqual(refusedVerifications.disabled);

    expect(await enable(shown.id)).toMatchObject({ enabled: true, disabledByAdmin: false });
    expect((await verify(system, key)).valid).toBe(true);
    const did = (action: string, by: TestUser) => ({ action: `api-key.${action}`, ...byUser(by) });
    expect(await apiKeyAudit(rows, shown.id)).toEqual([
      did("created", ada),
      did("disabled", admin),
      did("updated", ada),
      did("enabled", admin),
    ]);
  });

  test("a key that its owner has disabled stays disabled when an admin lifts their block", async () => {
    const { id, key } = await createKey(ada);
    await updateKey(ada, id, { enabled: false });
    await disable(id);
    expect(await enable(id)).toMatchObject({ enabled: false, disabledByAdmin: false });
    expect(await verify(system, key)).toStrictEqual(refusedVerifications.disabled);
    await updateKey(ada, id, { enabled: true });
    expect((await verify(system, key)).valid).toBe(true);
  });

  test("16 concurrent calls disable it once, and all return the key", async () => {
    const { id } = await createKey(ada);
    for (const answer of await race(() => disable(id))) expect(answer.disabledByAdmin).toBe(true);
    for (const answer of await race(() => enable(id))) expect(answer.disabledByAdmin).toBe(false);
    expect((await apiKeyAudit(rows, id)).map(({ action }) => action)).toEqual([
      "api-key.created",
      "api-key.disabled",
      "api-key.enabled",
    ]);
  });
});

describe("delete", () => {
  test("a key is deleted at once, and the audit log names the admin", async () => {
    const { id, key } = await createKey(ada);
    expect(await expectOk(act("adminDeleteApiKey", id))).toStrictEqual({ success: true });
    expect(await verify(system, key)).toStrictEqual(refusedVerifications.unknown);
    expect(await callOperation(ada, apiKeyOperations.getApiKey, { query: { id } })).toEqual(
      errors.notFound,
    );
    expect((await apiKeyAudit(rows, id)).at(-1)).toEqual({
      action: "api-key.deleted",
      ...byUser(admin),
    });
  });

  matrixTest("one of 16 concurrent calls deletes the key", async () => {
    const { id } = await createKey(ada);
    const answers = await race(() => act("adminDeleteApiKey", id));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers).toContainEqual(errors.notFound);
  });
});

test.each(["adminDisableApiKey", "adminEnableApiKey", "adminDeleteApiKey"] as const)(
  "%s returns not found for an unknown key, and changes nothing",
  async (name) => {
    const before = await hashApiKeyTables(rows);
    expect(await act(name, "nothing")).toEqual(errors.notFound);
    expect(await act(name, "x".repeat(256))).toEqual(validationError("query", "id"));
    expect(await hashApiKeyTables(rows)).toEqual(before);
  },
);

describe("usage", () => {
  const usageOf = (id: string, query: object = {}) =>
    callOperation<ApiKeyUsage>(admin, apiKeyOperations.adminReadApiKeyUsage, {
      params: { id },
      query: { ...query },
    });

  test("uses of any key are counted, including deleted ones", async () => {
    const { id, key } = await createKey(ada);
    expect(await expectOk(usageOf(id))).toStrictEqual({ days: [] });
    await verify(system, key);
    await disable(id);
    await verify(system, key);
    await untilUsage(() => expectOk(usageOf(id)), { valid: 1, disabled: 1 });
    await act("adminDeleteApiKey", id);
    expect(sumUsage(await expectOk(usageOf(id)))).toEqual({ valid: 1, disabled: 1 });
  });

  test("an unknown key has no usage", async () => {
    expect(await usageOf("nothing")).toEqual(errors.notFound);
  });

  test.each([
    ["from", { from: "yesterday" }],
    ["to", { to: "2020-02-30" }],
    ["from", { from: "2020-01-02", to: "2020-01-01" }],
    ["from", { from: "2020-01-01", to: "2021-01-01" }],
  ])("rejects %s in %j", async (member, query) => {
    const { id } = await createKey(ada);
    expect(await usageOf(id, query)).toEqual(validationError("query", member));
  });
});

/** An admin who impersonates a user has no admin permissions. */
test("an admin who impersonates a user cannot see keys of others", async () => {
  const other = await signUpAs(system, "admin");
  await callAdmin(other, "/impersonate-user", { userId: ada.user.id });
  expect(await callOperation(other, apiKeyOperations.adminListApiKeys)).toMatchObject({
    status: 403,
  });
});
