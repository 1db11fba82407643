import { createHash } from "node:crypto";
import { expectNoLeaks, until } from "@latchkey/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Stack, startStack } from "../stack.ts";
import { matrix } from "../matrix.ts";
import { adminConfig, askAs, byService, race, signUpAs } from "./admin-people.ts";
import {
  apiKeyConfig,
  auditOf,
  type CreatedKey,
  createKey,
  createKeyFor,
  dumpKeys,
  errors,
  getKey,
  inOrder,
  invalid,
  ofKeys,
  type ShownKey,
  untilUsage,
  type Usage,
  type Verdict,
  verdictOf,
  verdicts,
  verify,
} from "./api-key-people.ts";
import { openRows, type Rows, type SignedUp, signUp } from "./identity-people.ts";
import { done, send, sendInside } from "./organization-people.ts";

expectNoLeaks("file");

const hourMs = 3_600_000;
const system = { actor_kind: "system", actor_id: null };
const long = (length: number) => "x".repeat(length);

describe.each(matrix("redis", "postgres"))("with sessions and bus in %s", (stores) => {
  let stack: Stack;
  let rows: Rows;
  let admin: SignedUp;
  let ada: SignedUp;
  beforeAll(async () => {
    stack = await startStack({ stores, config: apiKeyConfig({ enableMetadata: true }) });
    rows = openRows(stack);
    admin = await signUpAs(stack, "admin");
  });
  afterAll(async () => {
    await rows.close();
    await stack.stop();
  });
  beforeEach(async () => {
    ada = await signUp(stack);
  });

  const createFor = (body: object) => sendInside(stack, ofKeys.createApiKeyFor, { body });
  const updateFor = (body: object) => sendInside(stack, ofKeys.updateApiKeyFor, { body });
  const set = (id: string, assignment: string) =>
    rows.ask(`update apikey.api_key set ${assignment} where id = $1`, id);
  const countOf = async (table: "api_key" | "key_usage", userId: string) =>
    (await rows.ask(`select from apikey.${table} where user_id = $1`, userId)).length;
  const usageOf = (id: string) => done(send<Usage>(ada, ofKeys.readApiKeyUsage, { query: { id } }));
  const actionsOf = async (id: string) => (await auditOf(rows, id)).map(({ action }) => action);

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
      const { key, ...shown } = await createKeyFor(stack, ada, own);
      expect(shown).toMatchObject({ userId: ada.user.id, ...own, lastRefillAt: null });
      expect(await getKey(ada, shown.id)).toStrictEqual(shown);
      expect(await auditOf(rows, shown.id)).toEqual([{ action: "api-key.created", ...byService }]);
      expect((await verify(stack, key)).key).toMatchObject({ ...limits, remaining: 6 });
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
      expect((await createKeyFor(stack, ada, own)).remaining).toBe(remaining);
    });

    test("reports the first failing check of several, and creates nothing", async () => {
      const checks = inOrder<{ body: { code: string } }>(
        [
          [{ remaining: -1 }, invalid("body", "remaining")],
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
      const before = await dumpKeys(rows);
      for (const { body, told } of checks) expect(await createFor(body)).toEqual(told);
      expect(await createFor({})).toEqual(errors.invalidSession);
      expect(await dumpKeys(rows)).toEqual(before);
    });

    /** Ban state arrives by two paths, and either suffices. */
    test.each([
      ["identity says", "insert into apikey.owner values ($1, 0, false, null, null)"],
      ["news say", "insert into apikey.owner values ($1, 0, true, null, null)"],
    ])("rejects a key for a user who is banned, as %s", async (who, statement) => {
      if (who === "identity says") await askAs(admin, "/ban-user", { userId: ada.user.id });
      await rows.ask(`${statement} on conflict do nothing`, ada.user.id);
      expect(await createFor({ userId: ada.user.id })).toEqual(errors.banned);
      if (who === "news say")
        expect(await send(ada, ofKeys.createApiKey, {})).toEqual(errors.banned);
      expect(await countOf("api_key", ada.user.id)).toBe(0);
    });

    test("rejects a key for a user who was deleted according to events", async () => {
      const statement = "insert into apikey.owner values ($1, 0, false, null, now())";
      await rows.ask(statement, ada.user.id);
      expect(await createFor({ userId: ada.user.id })).toEqual(errors.invalidSession);
      expect(await send(ada, ofKeys.createApiKey, {})).toEqual(errors.invalidSession);
      expect(await countOf("api_key", ada.user.id)).toBe(0);
    });
  });

  describe("update", () => {
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
      const { key: _, ...before } = await createKeyFor(stack, ada, { remaining: 9, permissions });
      const body = { keyId: before.id, userId: ada.user.id, ...own };
      const after = await done(sendInside<ShownKey>(stack, ofKeys.updateApiKeyFor, { body }));
      expect(after).toStrictEqual({ ...before, ...own, updatedAt: after.updatedAt });
      expect(await getKey(ada, before.id)).toStrictEqual(after);
      expect((await auditOf(rows, before.id)).at(-1)).toEqual({
        action: "api-key.updated",
        ...byService,
      });
    });

    test("reports the first failing check of several, and changes nothing", async () => {
      const [own, others] = [await createKey(ada), await createKey(admin)];
      const checks = inOrder<{ body: { code: string } }>(
        [
          [{ remaining: 0 }, invalid("body", "remaining")],
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
      const before = await dumpKeys(rows);
      for (const { body, told } of checks) expect(await updateFor(body)).toEqual(told);
      const nothing = { keyId: own.id, userId: ada.user.id };
      expect(await updateFor(nothing)).toEqual(errors.nothingToUpdate);
      expect(await updateFor({ keyId: own.id, name: "new" })).toEqual(errors.invalidSession);
      expect(await dumpKeys(rows)).toEqual(before);
    });
  });

  describe("verify", () => {
    test("a valid key is returned with its state after the use, without its text", async () => {
      const { key, ...shown } = await createKeyFor(stack, ada, { remaining: 5 });
      const verdict = await verify(stack, key);
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
      const { id, key } = await createKeyFor(stack, ada, { remaining: 5, prefix: "acme_" });
      const flip = (text: string) => (text.endsWith("a") ? "b" : "a");
      const stored = createHash("sha256").update(key).digest("base64url");
      const resembling: [text: string, verdict: Verdict][] = [
        ["", verdicts.malformed],
        [" ", verdicts.malformed],
        ["acme_", verdicts.malformed],
        [long(63), verdicts.malformed],
        [stored, verdicts.malformed],
        [stored + long(21), verdicts.unknown],
        [long(64), verdicts.unknown],
        [long(1_024), verdicts.unknown],
        [long(1_025), verdicts.malformed],
        [long(4_096), verdicts.malformed],
        [key.slice(0, -1), verdicts.unknown],
        [key.slice(0, -1) + flip(key), verdicts.unknown],
        [key.slice("acme_".length), verdicts.unknown],
        [key.toUpperCase(), verdicts.unknown],
        [` ${key}`, verdicts.unknown],
        [`${key}\n`, verdicts.unknown],
        [`${key}\0`, verdicts.malformed],
        [`${key}\uD800`, verdicts.malformed],
        [`${key}'; drop table apikey.api_key; --`, verdicts.unknown],
        [`%${long(63)}`, verdicts.unknown],
        ["🔑".repeat(32), verdicts.unknown],
      ];
      for (const [text, verdict] of resembling)
        expect([text, await verify(stack, text)]).toEqual([text, verdict]);
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
      expect(await sendInside(stack, ofKeys.verifyApiKey, { body })).toEqual(
        invalid("body", member),
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
    ])("verifying a key with permissions %j for %j returns %j", async (own, asked, isGood) => {
      const { id, key } = await createKeyFor(stack, ada, { permissions: own, remaining: 5 });
      const verdict = await verify(stack, key, asked);
      expect(isGood ? verdict.valid : verdict).toEqual(isGood || verdicts.forbidden);
      expect((await getKey(ada, id)).remaining).toBe(isGood ? 4 : 5);
      expect(await verdictOf(stack, key)).toBeNull();
    });

    test("the last use succeeds, the next one reports that none are left, then the key is unknown", async () => {
      const { id, key } = await createKeyFor(stack, ada, { remaining: 1 });
      expect(await verify(stack, key)).toMatchObject({ valid: true, key: { remaining: 0 } });
      expect((await getKey(ada, id)).remaining).toBe(0);
      expect(await verify(stack, key)).toStrictEqual(verdicts.exhausted);
      expect(await send(ada, ofKeys.getApiKey, { query: { id } })).toEqual(errors.notFound);
      expect(await verify(stack, key)).toStrictEqual(verdicts.unknown);
      expect((await auditOf(rows, id)).at(-1)).toEqual({ action: "api-key.exhausted", ...system });
    });

    test("a key created with no uses is never valid", async () => {
      const { key } = await createKeyFor(stack, ada, { remaining: 0 });
      expect(await verify(stack, key)).toStrictEqual(verdicts.exhausted);
    });

    test("an expired key is reported as such once, then it is unknown", async () => {
      // The sweeper may delete it first.
      const { id, key, verdict } = await until(async () => {
        const created = await createKey(ada, { expiresIn: 86_400 });
        await set(created.id, "expires_at = now() - interval '1 second'");
        const verdict = await verify(stack, created.key);
        return verdict.error?.code === "KEY_EXPIRED" ? { ...created, verdict } : undefined;
      });
      expect(verdict).toStrictEqual(verdicts.expired);
      expect(await verify(stack, key)).toStrictEqual(verdicts.unknown);
      expect((await auditOf(rows, id)).at(-1)).toEqual({ action: "api-key.expired", ...system });
      await untilUsage(() => usageOf(id), { expired: 1 });
    });

    test("a key that expires later is valid", async () => {
      const { key } = await createKey(ada, { expiresIn: 86_400 });
      expect(await verdictOf(stack, key)).toBeNull();
    });

    test("uses are refilled once the interval has passed, from the creation or the last refill", async () => {
      const limits = { remaining: 1, refillAmount: 3, refillInterval: 2, rateLimitEnabled: false };
      const { id, key } = await createKeyFor(stack, ada, limits);
      const use = () => verify(stack, key);
      expect(await use()).toMatchObject({ valid: true, key: { remaining: 0, lastRefillAt: null } });
      expect(await use()).toStrictEqual(verdicts.exhausted);
      await set(id, "created_at = now() - interval '47 hours'");
      expect(await use()).toStrictEqual(verdicts.exhausted);
      await set(id, "created_at = now() - interval '49 hours'");
      const refilled = await use();
      expect(refilled).toMatchObject({ valid: true, key: { remaining: 2 } });
      expect(Date.parse(refilled.key?.lastRefillAt ?? "")).toBeGreaterThan(Date.now() - hourMs);
      for (const remaining of [1, 0])
        expect(await use()).toMatchObject({
          key: { remaining, lastRefillAt: refilled.key?.lastRefillAt },
        });
      expect(await use()).toStrictEqual(verdicts.exhausted);
      await set(id, "last_refill_at = now() - interval '49 hours'");
      expect(await use()).toMatchObject({ valid: true, key: { remaining: 2 } });
    });

    test("a refill replaces the remaining uses, and missed refills are not added", async () => {
      const limits = { remaining: 9, refillAmount: 3, refillInterval: 1, rateLimitEnabled: false };
      const { id, key } = await createKeyFor(stack, ada, limits);
      await set(id, "created_at = now() - interval '100 days'");
      expect(await verify(stack, key)).toMatchObject({ valid: true, key: { remaining: 2 } });
    });

    test("a rate limit returns when to retry, and a refused use is not counted", async () => {
      const limits = { remaining: 10, rateLimitMax: 2, rateLimitTimeWindow: hourMs };
      const { id, key } = await createKeyFor(stack, ada, limits);
      for (const requestCount of [1, 2])
        expect(await verify(stack, key)).toMatchObject({ valid: true, key: { requestCount } });
      const before = await getKey(ada, id);
      const { error, ...verdict } = await verify(stack, key);
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
      const { id, key } = await createKeyFor(stack, ada, limits);
      await verify(stack, key);
      await set(id, "last_request = now() - interval '59 minutes'");
      expect(await verify(stack, key)).toMatchObject({ valid: true, key: { requestCount: 2 } });
      await set(id, "last_request = now() - interval '59 minutes'");
      expect(await verdictOf(stack, key)).toBe("RATE_LIMITED");
      await set(id, "last_request = now() - interval '61 minutes'");
      expect(await verify(stack, key)).toMatchObject({ valid: true, key: { requestCount: 1 } });
    });

    test("a key without a rate limit can be used any number of times", async () => {
      const { id, key } = await createKeyFor(stack, ada, { rateLimitEnabled: false });
      for (const verdict of await race(() => verify(stack, key))) expect(verdict.valid).toBe(true);
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
        const { id, key } = await createKeyFor(stack, ada, limits);
        if (aged) await set(id, aged);
        const answers = await race(() => verify(stack, key));
        expect(answers.filter(({ valid }) => valid)).toHaveLength(5);
        const told = answers.filter(({ valid }) => !valid).map(({ error }) => error?.code);
        // The caller that finds a key spent permanently deletes it.
        const gone = code === "USAGE_EXCEEDED" ? ["INVALID_API_KEY"] : [];
        for (const other of told) expect([code, ...gone]).toContain(other);
        expect(told).toContain(code);
      },
    );
  });

  describe("delete-all-expired", () => {
    const sweep = () => done(sendInside(stack, ofKeys.deleteExpiredApiKeys, {}));

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
      await until(isGone, { timeoutMs: 40_000, describe: "the sweep" });
      expect(await actionsOf(id)).toEqual(["api-key.created", "api-key.expired"]);
      expect((await getKey(ada, living.id)).id).toBe(living.id);
    });

    test("succeeds if nothing has expired", async () => {
      for (const answer of await race(sweep))
        expect(answer).toStrictEqual({ success: true, error: null });
    });
  });

  describe("a banned user", () => {
    const ban = (own: object = {}) => askAs(admin, "/ban-user", { userId: ada.user.id, ...own });
    const unban = () => askAs(admin, "/unban-user", { userId: ada.user.id });

    test("has all keys refused before the ban is answered, and enabled again before its end is answered", async () => {
      const keys = [await createKey(ada), await createKeyFor(stack, ada, { remaining: 5 })];
      const others = await createKey(admin);
      for (const _ of ["once", "again"]) {
        expect((await ban()).status).toBe(200);
        for (const { key } of keys) expect(await verify(stack, key)).toStrictEqual(verdicts.banned);
        expect(await verdictOf(stack, others.key)).toBeNull();
        expect((await unban()).status).toBe(200);
        for (const { key } of keys) expect(await verdictOf(stack, key)).toBeNull();
      }
      expect(
        (await rows.ask("select remaining from apikey.api_key where id = $1", keys[1]?.id))[0],
      ).toEqual({ remaining: 3 });
    });

    test("has working keys again when the ban expires", async () => {
      const { key } = await createKey(ada);
      await ban({ banExpiresIn: 3_600 });
      expect(await verdictOf(stack, key)).toBe("USER_IS_BANNED");
      await rows.ask(
        "update apikey.owner set banned_until = now() - interval '1 second' where user_id = $1",
        ada.user.id,
      );
      expect(await verdictOf(stack, key)).toBeNull();
    });

    test("keeps keys disabled if the ban changes from an hour to permanent", async () => {
      const { key } = await createKey(ada);
      await ban({ banExpiresIn: 3_600 });
      await ban();
      const owner = () =>
        rows.ask("select banned, banned_until from apikey.owner where user_id = $1", ada.user.id);
      expect(await owner()).toEqual([{ banned: true, banned_until: null }]);
      expect(await verdictOf(stack, key)).toBe("USER_IS_BANNED");
    });
  });

  describe("a user who is deleted", () => {
    test("loses their keys and usage counts before the answer, and no other user does", async () => {
      const keys = await Promise.all(Array.from({ length: 3 }, () => createKey(ada)));
      const others = await createKey(admin);
      for (const { key } of [...keys, others]) await verify(stack, key);
      for (const { id } of keys) await untilUsage(() => usageOf(id), { valid: 1 });
      const { status } = await askAs(admin, "/remove-user", { userId: ada.user.id });
      expect(status).toBe(200);
      expect(await countOf("api_key", ada.user.id)).toBe(0);
      await until(async () => (await countOf("key_usage", ada.user.id)) === 0);
      for (const { id, key } of keys) {
        expect(await verify(stack, key)).toStrictEqual(verdicts.unknown);
        expect((await auditOf(rows, id)).at(-1)).toEqual({ action: "api-key.deleted", ...system });
      }
      expect(await verdictOf(stack, others.key)).toBeNull();
      expect(await createFor({ userId: ada.user.id })).toEqual(errors.userNotFound);
    });
  });

  test("outcomes of uses are counted for the owner and for admins alike", async () => {
    const permissions = { invoice: ["read"] };
    const limits = { permissions, rateLimitMax: 3, refillAmount: 3, refillInterval: 1 };
    const { id, key } = await createKeyFor(stack, ada, limits);
    await race(() => verify(stack, key, { invoice: ["pay"] }));
    for (const _ of [1, 2, 3]) await verify(stack, key, permissions);
    expect(await verdictOf(stack, key)).toBe("USAGE_EXCEEDED");
    await set(id, "remaining = 5");
    expect(await verdictOf(stack, key)).toBe("RATE_LIMITED");
    await set(id, "enabled = false");
    await race(() => verify(stack, key));
    const counts = { valid: 3, forbidden: 16, exhausted: 1, rateLimited: 1, disabled: 16 };
    await untilUsage(() => usageOf(id), counts);
    const params = { id };
    expect(await done(send(admin, ofKeys.adminReadApiKeyUsage, { params }))).toEqual(
      await usageOf(id),
    );
  });

  describe.each(Object.values(ofKeys).filter(({ exposure }) => exposure === "internal"))(
    "$name",
    (declared) => {
      const { serviceTokens } = adminConfig;
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
        const before = await dumpKeys(rows);
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
          expect(await sendInside(stack, declared, { body }, { authorization })).toEqual(
            errors.forbidden,
          );
        expect(await dumpKeys(rows)).toEqual(before);
      });

      test("is unreachable through the gateway, whatever credentials are sent", async () => {
        const created = await createKey(ada);
        const before = await dumpKeys(rows);
        const headers = { authorization: `Bearer ${serviceTokens.backoffice}` };
        const { status } = await ada.browser.post(
          `/internal${declared.path}`,
          bodyFor(created),
          headers,
        );
        expect(status).toBe(404);
        const isPublic = Object.values(ofKeys).some(
          ({ exposure, path }) => exposure === "public" && path === declared.path,
        );
        if (!isPublic)
          expect((await ada.browser.post(declared.path, bodyFor(created), headers)).status).toBe(
            404,
          );
        expect(await dumpKeys(rows)).toEqual(before);
      });
    },
  );
});

describe("unknown keys", () => {
  const other = "the token of another service";
  const unknownKeys = { max: 5, window: 60 };
  let stack: Stack;
  let ada: SignedUp;
  beforeAll(async () => {
    const serviceTokens = { ...adminConfig.serviceTokens, other };
    const config = apiKeyConfig({ unknownKeys }, { serviceTokens });
    stack = await startStack({ stores: "postgres", config });
    ada = await signUp(stack);
  });
  afterAll(() => stack.stop());

  const ask = (key: string, token = adminConfig.serviceTokens.backoffice) =>
    fetch(`${stack.running.services["apikey"]?.url}/internal${ofKeys.verifyApiKey.path}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ key }),
    });
  const isGood = async (answer: Response) => ((await answer.json()) as Verdict).valid;

  /** Attack: guessing keys through a service that verifies any input. */
  test("too many wrong guesses block further guesses, but no key that was valid recently", async () => {
    const [known, fresh] = [await createKey(ada), await createKey(ada)];
    expect(await isGood(await ask(known.key))).toBe(true);
    for (let guess = 0; guess < unknownKeys.max; guess += 1)
      expect((await ask(guess % 2 === 0 ? long(64 + guess) : "short")).status).toBe(200);

    for (const key of [long(64), "short", fresh.key]) {
      const answer = await ask(key);
      expect([answer.status, await answer.json()]).toEqual([
        429,
        { message: "Too many requests. Please try again later." },
      ]);
      const seconds = Number(answer.headers.get("retry-after"));
      expect([seconds >= 1, seconds <= unknownKeys.window]).toEqual([true, true]);
    }
    expect(await isGood(await ask(known.key))).toBe(true);
    expect(await isGood(await ask(fresh.key, other))).toBe(true);
  });
});
