import { createHash } from "node:crypto";
import type { Operation } from "@latchkey/contracts";
import { expectNoLeaks, until } from "@latchkey/testkit";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  checksInOrder,
  errors,
  refusedVerifications,
  validationError,
} from "../harness/api-key-errors.ts";
import {
  apiKeyConfig,
  apiKeyOperations,
  type ApiKeyUsage,
  type ApiKeyView,
  type CreatedKey,
  createKey,
  createKeyFor,
  getKey,
  hashApiKeyTables,
  untilUsage,
  type Verification,
  verificationCode,
  verify,
} from "../harness/api-keys.ts";
import { apiKeyAudit, byService } from "../harness/audit.ts";
import { callInternal, callOperation, expectOk, serviceConfig } from "../harness/operations.ts";
import { race } from "../harness/race.ts";
import { callAdmin, signUp, type TestUser } from "../harness/users.ts";
import { useSystem } from "../harness/use-system.ts";
import { firstOfKind, matrix, representatives } from "../harness/matrix.ts";

expectNoLeaks("file");

const hourMs = 3_600_000;
const bySystem = { actor_kind: "system", actor_id: null };
const long = (length: number) => "x".repeat(length);

describe.each(matrix("redis", "postgres"))("with sessions and bus in %s", (stores) => {
  let ada: TestUser;
  const { system, rows, admin } = useSystem({
    stores,
    config: apiKeyConfig({ enableMetadata: true }),
  });
  const renewUser = async () => {
    ada = await signUp(system);
  };
  beforeAll(renewUser);

  const createFor = (body: object) =>
    callInternal(system, apiKeyOperations.createApiKeyFor, { body });
  const updateFor = (body: object) =>
    callInternal(system, apiKeyOperations.updateApiKeyFor, { body });
  const set = (id: string, assignment: string) =>
    rows.query(`update apikey.api_key set ${assignment} where id = $1`, id);
  const countOf = async (table: "api_key" | "key_usage", userId: string) =>
    (await rows.query(`select from apikey.${table} where user_id = $1`, userId)).length;
  const usageOf = (id: string) =>
    expectOk(callOperation<ApiKeyUsage>(ada, apiKeyOperations.readApiKeyUsage, { query: { id } }));
  const actionsOf = async (id: string) => (await apiKeyAudit(rows, id)).map(({ action }) => action);

  describe("create", () => {
    const limits = {
      remaining: 7,
      refillAmount: 9,
      refillInterval: 30,
      rateLimitEnabled: false,
      rateLimitTimeWindow: 60_000,
      rateLimitMax: 3,
      permissions: { invoice: ["read", "pay"], report: [] },
    };

    test("a service sets every field of a key, and its owner sees them", async () => {
      const own = { name: "billing", prefix: "acme_", metadata: { plan: "free" }, ...limits };
      const { key, ...shown } = await createKeyFor(system, ada, own);
      expect(shown).toMatchObject({ userId: ada.user.id, ...own, lastRefillAt: null });
      expect(await getKey(ada, shown.id)).toStrictEqual(shown);
      expect(await apiKeyAudit(rows, shown.id)).toEqual([
        { action: "api-key.created", ...byService },
      ]);
      expect((await verify(system, key)).key).toMatchObject({ ...limits, remaining: 6 });
    });

    test.each([
      [{ remaining: 5 }, 5],
      [{ remaining: 0 }, 0],
      [{ remaining: null }, null],
      [{}, null],
      [{ refillAmount: 4, refillInterval: 1 }, 4],
      [{ refillAmount: 4, refillInterval: 1, remaining: null }, 4],
      [{ refillAmount: 4, refillInterval: 1, remaining: 0 }, 0],
      [{ refillAmount: 4, refillInterval: 1, remaining: 9 }, 9],
    ])("a key created with %j has %j uses left", async (own, remaining) => {
      expect((await createKeyFor(system, ada, own)).remaining).toBe(remaining);
    });

    test("reports the first failing check of several, and creates nothing", async () => {
      const checks = checksInOrder<{ body: { code: string } }>(
        [
          [{ remaining: -1 }, validationError("body", "remaining")],
          [{ userId: null }, errors.invalidSession],
          [{ userId: "nobody" }, errors.userNotFound],
          [{ metadata: "text" }, errors.metadataType],
          [{ refillAmount: 1, refillInterval: undefined }, errors.amountAlone],
          [{ refillInterval: 1 }, errors.intervalAlone],
          [{ expiresIn: 1 }, errors.expiresTooSoon],
          [{ prefix: long(33) }, errors.prefixLength],
          [{ name: long(33) }, errors.nameLength],
        ],
        { userId: ada.user.id },
      );
      const before = await hashApiKeyTables(rows);
      for (const { body, expected } of checks) expect(await createFor(body)).toEqual(expected);
      expect(await createFor({})).toEqual(errors.invalidSession);
      expect(await hashApiKeyTables(rows)).toEqual(before);
    });
  });

  describe("a user who is banned or deleted", () => {
    beforeEach(renewUser);

    /** Ban state arrives by two paths, and either suffices. */
    test.each([
      ["identity says", "insert into apikey.owner values ($1, 0, false, null, null)"],
      ["news say", "insert into apikey.owner values ($1, 0, true, null, null)"],
    ])("rejects a key for a user who is banned, as %s", async (who, statement) => {
      if (who === "identity says") await callAdmin(admin, "/ban-user", { userId: ada.user.id });
      await rows.query(`${statement} on conflict do nothing`, ada.user.id);
      expect(await createFor({ userId: ada.user.id })).toEqual(errors.banned);
      if (who === "news say")
        expect(await callOperation(ada, apiKeyOperations.createApiKey, {})).toEqual(errors.banned);
      expect(await countOf("api_key", ada.user.id)).toBe(0);
    });

    test("rejects a key for a user who was deleted according to events", async () => {
      const statement = "insert into apikey.owner values ($1, 0, false, null, now())";
      await rows.query(statement, ada.user.id);
      expect(await createFor({ userId: ada.user.id })).toEqual(errors.invalidSession);
      expect(await callOperation(ada, apiKeyOperations.createApiKey, {})).toEqual(
        errors.invalidSession,
      );
      expect(await countOf("api_key", ada.user.id)).toBe(0);
    });
  });

  describe("update", () => {
    beforeAll(renewUser);

    test.each([
      { remaining: 1 },
      { refillAmount: 5, refillInterval: 7 },
      { rateLimitEnabled: false },
      { rateLimitTimeWindow: 1 },
      { rateLimitMax: 2_147_483_647 },
      { permissions: { invoice: ["read"] } },
      { permissions: {} },
      { permissions: null },
      { name: "new", enabled: false, metadata: [1], remaining: 3 },
    ])("a service changes %j and nothing else", async (own) => {
      const permissions = { report: ["read"] };
      const { key: _, ...before } = await createKeyFor(system, ada, { remaining: 9, permissions });
      const body = { keyId: before.id, userId: ada.user.id, ...own };
      const after = await expectOk(
        callInternal<ApiKeyView>(system, apiKeyOperations.updateApiKeyFor, { body }),
      );
      expect(after).toStrictEqual({ ...before, ...own, updatedAt: after.updatedAt });
      expect(await getKey(ada, before.id)).toStrictEqual(after);
      expect((await apiKeyAudit(rows, before.id)).at(-1)).toEqual({
        action: "api-key.updated",
        ...byService,
      });
    });

    test("reports the first failing check of several, and changes nothing", async () => {
      const [own, others] = [await createKey(ada), await createKey(admin)];
      const checks = checksInOrder<{ body: { code: string } }>(
        [
          [{ remaining: 0 }, validationError("body", "remaining")],
          [{ userId: null }, errors.invalidSession],
          [{ keyId: others.id }, errors.notFound],
          [{ name: "" }, errors.nameLength],
          [{ expiresIn: 1 }, errors.expiresTooSoon],
          [{ metadata: "text" }, errors.metadataType],
          [{ refillAmount: 1, refillInterval: undefined }, errors.amountAlone],
          [{ refillInterval: 1 }, errors.intervalAlone],
        ],
        { keyId: own.id, userId: ada.user.id },
      );
      const before = await hashApiKeyTables(rows);
      for (const { body, expected } of checks) expect(await updateFor(body)).toEqual(expected);
      const nothing = { keyId: own.id, userId: ada.user.id };
      expect(await updateFor(nothing)).toEqual(errors.nothingToUpdate);
      expect(await updateFor({ keyId: own.id, name: "new" })).toEqual(errors.invalidSession);
      expect(await hashApiKeyTables(rows)).toEqual(before);
    });
  });

  describe("verify", () => {
    test("a valid key is returned with its state after the use, without its text", async () => {
      const { key, ...shown } = await createKeyFor(system, ada, { remaining: 5 });
      const verdict = await verify(system, key);
      expect(verdict).toStrictEqual({
        valid: true,
        error: null,
        key: {
          ...shown,
          remaining: 4,
          requestCount: 1,
          lastRequest: verdict.key?.lastRequest,
        },
      });
      expect(Date.parse(verdict.key?.lastRequest ?? "")).toBeGreaterThanOrEqual(
        Date.parse(shown.createdAt),
      );
      expect(await getKey(ada, shown.id)).toStrictEqual(verdict.key);
    });

    /** Attack: guessing keys, or breaking the look-up. */
    test("rejects texts that resemble a key, without an error or a use of the key", async () => {
      const { id, key } = await createKeyFor(system, ada, { remaining: 5, prefix: "acme_" });
      const flip = (text: string) => (text.endsWith("a") ? "b" : "a");
      const stored = createHash("sha256").update(key).digest("base64url");
      const resembling: [text: string, verdict: Verification][] = [
        ["", refusedVerifications.malformed],
        [" ", refusedVerifications.malformed],
        ["acme_", refusedVerifications.malformed],
        [long(63), refusedVerifications.malformed],
        [stored, refusedVerifications.malformed],
        [stored + long(21), refusedVerifications.unknown],
        [long(64), refusedVerifications.unknown],
        [long(1_024), refusedVerifications.unknown],
        [long(1_025), refusedVerifications.malformed],
        [long(4_096), refusedVerifications.malformed],
        [key.slice(0, -1), refusedVerifications.unknown],
        [key.slice(0, -1) + flip(key), refusedVerifications.unknown],
        [key.slice("acme_".length), refusedVerifications.unknown],
        [key.toUpperCase(), refusedVerifications.unknown],
        [` ${key}`, refusedVerifications.unknown],
        [`${key}\n`, refusedVerifications.unknown],
        [`${key}\0`, refusedVerifications.malformed],
        [`${key}\uD800`, refusedVerifications.malformed],
        [`${key}'; drop table apikey.api_key; --`, refusedVerifications.unknown],
        [`%${long(63)}`, refusedVerifications.unknown],
        ["🔑".repeat(32), refusedVerifications.unknown],
      ];
      for (const [text, verdict] of resembling)
        expect([text, await verify(system, text)]).toEqual([text, verdict]);
      expect(await getKey(ada, id)).toMatchObject({ remaining: 5, requestCount: 0 });
    });

    test.each([
      ["key", {}],
      ["key", { key: null }],
      ["key", { key: 5 }],
      ["key", { key: [long(64)] }],
      ["key", { key: long(4_097) }],
      ["permissions", { key: long(64), permissions: [] }],
      ["permissions", { key: long(64), permissions: "all" }],
      ["permissions", { key: long(64), permissions: null }],
      ["permissions.invoice", { key: long(64), permissions: { invoice: "read" } }],
    ])("rejects %s in %j", async (member, body) => {
      expect(await callInternal(system, apiKeyOperations.verifyApiKey, { body })).toEqual(
        validationError("body", member),
      );
    });

    const permitted = { invoice: ["read", "pay"], report: ["read"], none: [] };
    test.each([
      [permitted, { invoice: ["read"] }, true],
      [permitted, { invoice: ["pay", "read"], report: ["read"] }, true],
      [permitted, { none: [] }, true],
      [permitted, { invoice: ["read", "delete"] }, false],
      [permitted, { invoice: ["read"], user: ["read"] }, false],
      [permitted, { none: ["read"] }, false],
      [permitted, { constructor: ["read"] }, false],
      [permitted, {}, false],
      [{}, { invoice: ["read"] }, false],
      [undefined, { invoice: ["read"] }, false],
      [undefined, {}, false],
    ])("verifying a key with permissions %j for %j returns %j", async (own, needed, isGood) => {
      const { id, key } = await createKeyFor(system, ada, { permissions: own, remaining: 5 });
      const verdict = await verify(system, key, needed);
      expect(isGood ? verdict.valid : verdict).toEqual(isGood || refusedVerifications.forbidden);
      expect((await getKey(ada, id)).remaining).toBe(isGood ? 4 : 5);
      expect(await verificationCode(system, key)).toBeNull();
    });

    test("the last use succeeds, the next one reports that none are left, then the key is unknown", async () => {
      const { id, key } = await createKeyFor(system, ada, { remaining: 1 });
      expect(await verify(system, key)).toMatchObject({ valid: true, key: { remaining: 0 } });
      expect((await getKey(ada, id)).remaining).toBe(0);
      expect(await verify(system, key)).toStrictEqual(refusedVerifications.exhausted);
      expect(await callOperation(ada, apiKeyOperations.getApiKey, { query: { id } })).toEqual(
        errors.notFound,
      );
      expect(await verify(system, key)).toStrictEqual(refusedVerifications.unknown);
      expect((await apiKeyAudit(rows, id)).at(-1)).toEqual({
        action: "api-key.exhausted",
        ...bySystem,
      });
    });

    test("a key created with no uses is never valid", async () => {
      const { key } = await createKeyFor(system, ada, { remaining: 0 });
      expect(await verify(system, key)).toStrictEqual(refusedVerifications.exhausted);
    });

    test("an expired key is reported as such once, then it is unknown", async () => {
      // The sweeper may delete it first.
      const { id, key, verdict } = await until(async () => {
        const created = await createKey(ada, { expiresIn: 86_400 });
        await set(created.id, "expires_at = now() - interval '1 second'");
        const verdict = await verify(system, created.key);
        return verdict.error?.code === "KEY_EXPIRED" ? { ...created, verdict } : undefined;
      });
      expect(verdict).toStrictEqual(refusedVerifications.expired);
      expect(await verify(system, key)).toStrictEqual(refusedVerifications.unknown);
      expect((await apiKeyAudit(rows, id)).at(-1)).toEqual({
        action: "api-key.expired",
        ...bySystem,
      });
      await untilUsage(() => usageOf(id), { expired: 1 });
    });

    test("a key that expires later is valid", async () => {
      const { key } = await createKey(ada, { expiresIn: 86_400 });
      expect(await verificationCode(system, key)).toBeNull();
    });

    test("uses are refilled once the interval has passed, from the creation or the last refill", async () => {
      const limits = { remaining: 1, refillAmount: 3, refillInterval: 2, rateLimitEnabled: false };
      const { id, key } = await createKeyFor(system, ada, limits);
      const use = () => verify(system, key);
      expect(await use()).toMatchObject({ valid: true, key: { remaining: 0, lastRefillAt: null } });
      expect(await use()).toStrictEqual(refusedVerifications.exhausted);
      await set(id, "created_at = now() - interval '47 hours'");
      expect(await use()).toStrictEqual(refusedVerifications.exhausted);
      await set(id, "created_at = now() - interval '49 hours'");
      const refilled = await use();
      expect(refilled).toMatchObject({ valid: true, key: { remaining: 2 } });
      expect(Date.parse(refilled.key?.lastRefillAt ?? "")).toBeGreaterThan(Date.now() - hourMs);
      for (const remaining of [1, 0])
        expect(await use()).toMatchObject({
          key: { remaining, lastRefillAt: refilled.key?.lastRefillAt },
        });
      expect(await use()).toStrictEqual(refusedVerifications.exhausted);
      await set(id, "last_refill_at = now() - interval '49 hours'");
      expect(await use()).toMatchObject({ valid: true, key: { remaining: 2 } });
    });

    test("a refill replaces the remaining uses, and missed refills are not added", async () => {
      const limits = { remaining: 9, refillAmount: 3, refillInterval: 1, rateLimitEnabled: false };
      const { id, key } = await createKeyFor(system, ada, limits);
      await set(id, "created_at = now() - interval '100 days'");
      expect(await verify(system, key)).toMatchObject({ valid: true, key: { remaining: 2 } });
    });

    test("a rate limit returns when to retry, and a refused use is not counted", async () => {
      const limits = { remaining: 10, rateLimitMax: 2, rateLimitTimeWindow: hourMs };
      const { id, key } = await createKeyFor(system, ada, limits);
      for (const requestCount of [1, 2])
        expect(await verify(system, key)).toMatchObject({ valid: true, key: { requestCount } });
      const before = await getKey(ada, id);
      const { error, ...verdict } = await verify(system, key);
      expect({ ...verdict, error }).toStrictEqual({
        valid: false,
        error: {
          code: "RATE_LIMITED",
          message: "Rate limit exceeded.",
          details: { tryAgainIn: expect.any(Number) as number },
        },
        key: null,
      });
      const { tryAgainIn = 0 } = error?.details ?? {};
      expect([tryAgainIn > 0, tryAgainIn <= hourMs, Number.isInteger(tryAgainIn)]).toEqual([
        true,
        true,
        true,
      ]);
      expect(await getKey(ada, id)).toStrictEqual(before);
      expect(before.remaining).toBe(8);
    });

    test("a window starts anew that long after the last allowed use", async () => {
      const limits = { rateLimitMax: 2, rateLimitTimeWindow: hourMs };
      const { id, key } = await createKeyFor(system, ada, limits);
      await verify(system, key);
      await set(id, "last_request = now() - interval '59 minutes'");
      expect(await verify(system, key)).toMatchObject({ valid: true, key: { requestCount: 2 } });
      await set(id, "last_request = now() - interval '59 minutes'");
      expect(await verificationCode(system, key)).toBe("RATE_LIMITED");
      await set(id, "last_request = now() - interval '61 minutes'");
      expect(await verify(system, key)).toMatchObject({ valid: true, key: { requestCount: 1 } });
    });

    test("a key without a rate limit can be used any number of times", async () => {
      const { id, key } = await createKeyFor(system, ada, { rateLimitEnabled: false });
      for (const verdict of await race(() => verify(system, key))) expect(verdict.valid).toBe(true);
      expect((await getKey(ada, id)).lastRequest).not.toBeNull();
    });

    test.each([
      ["uses left", { remaining: 5, rateLimitEnabled: false }, "", "USAGE_EXCEEDED"],
      ["uses in a window", { rateLimitMax: 5 }, "", "RATE_LIMITED"],
      [
        "uses after a refill",
        { remaining: 0, refillAmount: 5, refillInterval: 1, rateLimitEnabled: false },
        "created_at = now() - interval '25 hours'",
        "USAGE_EXCEEDED",
      ],
    ])(
      "five of 16 concurrent uses succeed for a limit of five %s",
      async (_, limits, aged, code) => {
        const { id, key } = await createKeyFor(system, ada, limits);
        if (aged) await set(id, aged);
        const answers = await race(() => verify(system, key));
        expect(answers.filter(({ valid }) => valid)).toHaveLength(5);
        const codes = answers.filter(({ valid }) => !valid).map(({ error }) => error?.code);
        // The caller that finds a key spent permanently deletes it.
        const gone = code === "USAGE_EXCEEDED" ? ["INVALID_API_KEY"] : [];
        for (const other of codes) expect([code, ...gone]).toContain(other);
        expect(codes).toContain(code);
      },
    );
  });

  describe("delete-all-expired", () => {
    beforeEach(renewUser);

    const sweep = () => expectOk(callInternal(system, apiKeyOperations.deleteExpiredApiKeys, {}));

    test("deletes all expired keys and no others, with an audit entry for each", async () => {
      const living = [await createKey(ada), await createKey(ada, { expiresIn: 86_400 })];
      const expired: CreatedKey[] = await Promise.all(
        Array.from({ length: 5 }, () => createKey(ada, { expiresIn: 86_400 })),
      );
      for (const { id } of expired) await set(id, "expires_at = now() - interval '1 second'");
      expect(await sweep()).toStrictEqual({ success: true, error: null });
      // Keys that the sweeper has locked are deleted by the sweeper.
      await until(async () => (await countOf("api_key", ada.user.id)) === living.length);
      for (const { id } of living) expect((await getKey(ada, id)).id).toBe(id);
      for (const { id } of expired)
        expect(await actionsOf(id)).toEqual(["api-key.created", "api-key.expired"]);
    });

    test("expired keys are deleted without a call", async () => {
      const [living, { id }] = [await createKey(ada), await createKey(ada, { expiresIn: 86_400 })];
      await set(id, "expires_at = now() - interval '1 second'");
      const isGone = async () => (await countOf("api_key", ada.user.id)) === 1;
      await until(isGone, { timeoutMs: 120_000, describe: "the sweep" });
      expect(await actionsOf(id)).toEqual(["api-key.created", "api-key.expired"]);
      expect((await getKey(ada, living.id)).id).toBe(living.id);
    });

    test("succeeds if nothing has expired", async () => {
      for (const answer of await race(sweep))
        expect(answer).toStrictEqual({ success: true, error: null });
    });
  });

  describe("a banned user", () => {
    beforeEach(renewUser);

    const ban = (own: object = {}) =>
      callAdmin(admin, "/ban-user", { userId: ada.user.id, ...own });
    const unban = () => callAdmin(admin, "/unban-user", { userId: ada.user.id });

    test("has all keys refused before the ban is answered, and enabled again before its end is answered", async () => {
      const keys = [await createKey(ada), await createKeyFor(system, ada, { remaining: 5 })];
      const others = await createKey(admin);
      for (const _ of ["once", "again"]) {
        expect((await ban()).status).toBe(200);
        for (const { key } of keys)
          expect(await verify(system, key)).toStrictEqual(refusedVerifications.banned);
        expect(await verificationCode(system, others.key)).toBeNull();
        expect((await unban()).status).toBe(200);
        for (const { key } of keys) expect(await verificationCode(system, key)).toBeNull();
      }
      expect(
        (await rows.query("select remaining from apikey.api_key where id = $1", keys[1]?.id))[0],
      ).toEqual({ remaining: 3 });
    });

    test("has working keys again when the ban expires", async () => {
      const { key } = await createKey(ada);
      await ban({ banExpiresIn: 3_600 });
      expect(await verificationCode(system, key)).toBe("USER_IS_BANNED");
      await rows.query(
        "update apikey.owner set banned_until = now() - interval '1 second' where user_id = $1",
        ada.user.id,
      );
      expect(await verificationCode(system, key)).toBeNull();
    });

    test("keeps keys disabled if the ban changes from an hour to permanent", async () => {
      const { key } = await createKey(ada);
      await ban({ banExpiresIn: 3_600 });
      await ban();
      const owner = () =>
        rows.query("select banned, banned_until from apikey.owner where user_id = $1", ada.user.id);
      expect(await owner()).toEqual([{ banned: true, banned_until: null }]);
      expect(await verificationCode(system, key)).toBe("USER_IS_BANNED");
    });
  });

  describe("a user who is deleted", () => {
    beforeEach(renewUser);

    test("loses their keys and usage counts before the answer, and no other user does", async () => {
      const keys = await Promise.all(Array.from({ length: 3 }, () => createKey(ada)));
      const others = await createKey(admin);
      for (const { key } of [...keys, others]) await verify(system, key);
      for (const { id } of keys) await untilUsage(() => usageOf(id), { valid: 1 });
      const { status } = await callAdmin(admin, "/remove-user", { userId: ada.user.id });
      expect(status).toBe(200);
      expect(await countOf("api_key", ada.user.id)).toBe(0);
      await until(async () => (await countOf("key_usage", ada.user.id)) === 0);
      for (const { id, key } of keys) {
        expect(await verify(system, key)).toStrictEqual(refusedVerifications.unknown);
        expect((await apiKeyAudit(rows, id)).at(-1)).toEqual({
          action: "api-key.deleted",
          ...bySystem,
        });
      }
      expect(await verificationCode(system, others.key)).toBeNull();
      expect(await createFor({ userId: ada.user.id })).toEqual(errors.userNotFound);
    });
  });

  test("outcomes of uses are counted for the owner and for admins alike", async () => {
    await renewUser();
    const permissions = { invoice: ["read"] };
    const limits = { permissions, rateLimitMax: 3, refillAmount: 3, refillInterval: 1 };
    const { id, key } = await createKeyFor(system, ada, limits);
    await race(() => verify(system, key, { invoice: ["pay"] }));
    for (const _ of [1, 2, 3]) await verify(system, key, permissions);
    expect(await verificationCode(system, key)).toBe("USAGE_EXCEEDED");
    await set(id, "remaining = 5");
    expect(await verificationCode(system, key)).toBe("RATE_LIMITED");
    await set(id, "enabled = false");
    await race(() => verify(system, key));
    const counts = { valid: 3, forbidden: 16, exhausted: 1, rateLimited: 1, disabled: 16 };
    await untilUsage(() => usageOf(id), counts);
    const params = { id };
    expect(
      await expectOk(callOperation(admin, apiKeyOperations.adminReadApiKeyUsage, { params })),
    ).toEqual(await usageOf(id));
  });

  const internal: Operation[] = Object.values(apiKeyOperations).filter(
    ({ exposure }) => exposure === "internal",
  );
  // `gateway-inside.test.ts` calls all of them.
  const firstOfFeature = firstOfKind(({ feature }: Operation) => String(feature));
  describe.each(representatives(internal, firstOfFeature))("$name", (declared) => {
    const { serviceTokens } = serviceConfig;
    const bodyFor = ({ id, key }: CreatedKey) => ({
      userId: ada.user.id,
      keyId: id,
      name: "taken",
      key,
      method: "GET",
      path: "/get-session",
    });

    test("requires a service token", async () => {
      const created = await createKey(ada);
      const before = await hashApiKeyTables(rows);
      const body = bodyFor(created);
      for (const authorization of [
        "",
        "Bearer",
        "Bearer wrong",
        `Bearer ${serviceTokens.backoffice}x`,
        `Bearer ${Object.keys(serviceTokens).join()}`,
        `Bearer ${ada.token}`,
        `Bearer ${created.key}`,
        `Basic ${serviceTokens.backoffice}`,
      ])
        expect(await callInternal(system, declared, { body }, { authorization })).toEqual(
          errors.forbidden,
        );
      expect(await hashApiKeyTables(rows)).toEqual(before);
    });

    test("is unreachable through the gateway, whatever credentials are sent", async () => {
      const created = await createKey(ada);
      const before = await hashApiKeyTables(rows);
      const headers = { authorization: `Bearer ${serviceTokens.backoffice}` };
      const { status } = await ada.browser.post(
        `/internal${declared.path}`,
        bodyFor(created),
        headers,
      );
      expect(status).toBe(404);
      const isPublic = Object.values(apiKeyOperations).some(
        ({ exposure, path }) => exposure === "public" && path === declared.path,
      );
      if (!isPublic)
        expect((await ada.browser.post(declared.path, bodyFor(created), headers)).status).toBe(404);
      expect(await hashApiKeyTables(rows)).toEqual(before);
    });
  });
});

describe("unknown keys", () => {
  const other = "the token of another service";
  const unknownKeys = { max: 5, window: 60 };
  const serviceTokens = { ...serviceConfig.serviceTokens, other };
  const config = apiKeyConfig({ unknownKeys }, { serviceTokens });
  const { system, user: ada } = useSystem({ stores: "postgres", config });

  const sendVerify = (key: string, token = serviceConfig.serviceTokens.backoffice) =>
    fetch(`${system.urlOf("apikey")}/internal${apiKeyOperations.verifyApiKey.path}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ key }),
    });
  const isGood = async (answer: Response) => ((await answer.json()) as Verification).valid;

  /** Attack: guessing keys through a service that verifies any input. */
  test("too many wrong guesses block further guesses, but no key that was valid recently", async () => {
    const [recent, fresh] = [await createKey(ada), await createKey(ada)];
    expect(await isGood(await sendVerify(recent.key))).toBe(true);
    for (let guess = 0; guess < unknownKeys.max; guess += 1)
      expect((await sendVerify(guess % 2 === 0 ? long(64 + guess) : "short")).status).toBe(200);

    for (const key of [long(64), "short", fresh.key]) {
      const answer = await sendVerify(key);
      expect([answer.status, await answer.json()]).toEqual([
        429,
        { message: "Too many requests. Please try again later." },
      ]);
      const seconds = Number(answer.headers.get("retry-after"));
      expect([seconds >= 1, seconds <= unknownKeys.window]).toEqual([true, true]);
    }
    expect(await isGood(await sendVerify(recent.key))).toBe(true);
    expect(await isGood(await sendVerify(fresh.key, other))).toBe(true);
  });
});
