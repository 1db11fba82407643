import { expectNoLeaks } from "@latchkey/testkit";
import { type Insertable, sql } from "kysely";
import { describe, expect, test } from "vitest";
import type { ApiKeyTable } from "../db/tables.ts";
import { apiKeyConfig, openApiKeyDatabase, newTextId, seedKey } from "../db/test-apikey.fixture.ts";
import { storedKey } from "../keys/key-text.ts";
import { type AskedUse, createUseKey, type UseVerdict } from "./use-key.ts";

expectNoLeaks("file");

const day = 86_400_000;
const start = Date.parse("2030-01-02T03:04:05.678Z");

const { db, connect } = await openApiKeyDatabase();
const replicas = [db, connect()] as const;

/** Inserts a key that was created at `start`. Returns functions that use it at any time from any replica. */
const arrange = async (given: Partial<Insertable<ApiKeyTable>> = {}, tree: object = {}) => {
  let now = start;
  const clock = () => now;
  const config = apiKeyConfig(tree);
  const users = replicas.map((replica) => createUseKey({ clock, config, db: replica }));
  const { id, key } = await seedKey(db, { createdAt: new Date(start), ...given });
  const keyUse: AskedUse = {
    key: storedKey(config.apiKey, key),
    permissions: null,
    passesUnrestricted: false,
  };
  const use = (also: Partial<AskedUse> = {}, replica = 0): Promise<UseVerdict> => {
    const useKey = users[replica];
    if (!useKey) throw new Error(`no replica ${replica}`);
    return useKey({ ...keyUse, ...also });
  };
  return {
    id,
    use,
    at: (milliseconds: number) => {
      now = start + milliseconds;
    },
    /** Uses it many times at once, alternating between the replicas. */
    storm: (count: number) =>
      Promise.all(Array.from({ length: count }, (_, index) => use({}, index % 2))),
    row: () => db.selectFrom("apiKey").selectAll().where("id", "=", id).executeTakeFirst(),
  };
};

const outcomes = (verdicts: readonly UseVerdict[]) => verdicts.map(({ outcome }) => outcome);
const count = (verdicts: readonly UseVerdict[], outcome: UseVerdict["outcome"]) =>
  verdicts.filter((verdict) => verdict.outcome === outcome).length;
const rowOf = (verdict: UseVerdict) => {
  if (!("row" in verdict)) throw new Error(`the key is ${verdict.outcome}`);
  return verdict.row;
};

test("reports an unknown key", async () => {
  const { use } = await arrange();
  expect(await use({ key: storedKey({ disableKeyHashing: false }, "other") })).toEqual({
    outcome: "unknown",
  });
});

test("returns the key after the use", async () => {
  const { use, row, at } = await arrange({ remaining: 3 });
  at(1000);
  const verdict = await use();
  expect(verdict).toMatchObject({
    outcome: "valid",
    row: { remaining: 2, lastRequest: new Date(start + 1000), requestCount: 0 },
  });
  const { key: _, ownerSince: _since, ...stored } = (await row()) ?? {};
  expect(verdict).toEqual({ outcome: "valid", row: stored });
});

describe("a limited number of uses", () => {
  test.each([1, 3, 7])(
    "of %i admits exactly that many of 32 at two replicas",
    async (remaining) => {
      const { storm, row } = await arrange({ remaining });
      const verdicts = await storm(32);
      expect(count(verdicts, "valid")).toBe(remaining);
      expect(count(verdicts, "exhausted") + count(verdicts, "unknown")).toBe(32 - remaining);
      expect(await row()).toBeUndefined();
    },
  );

  test("reports a distinct remaining number to each concurrent use", async () => {
    const { storm } = await arrange({ remaining: 40 });
    const remainingCounts = (await storm(40)).map((verdict) => rowOf(verdict).remaining);
    expect(remainingCounts.toSorted((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: 40 }, (_, index) => index),
    );
  });

  test("keeps the key on the last use, deletes it on the next one, and then does not know it", async () => {
    const { use, row } = await arrange({ remaining: 1 });
    expect(await use()).toMatchObject({ outcome: "valid", row: { remaining: 0 } });
    expect(await row()).toMatchObject({ remaining: 0 });
    expect(await use()).toMatchObject({ outcome: "exhausted" });
    expect(await row()).toBeUndefined();
    expect(await use()).toEqual({ outcome: "unknown" });
  });

  test("writes one audit entry for an exhausted key that refuses 16 concurrent uses", async () => {
    const { id, storm } = await arrange({ remaining: 0 });
    await storm(16);
    const entries = await db
      .selectFrom("audit")
      .select(["action", "actorKind"])
      .where("subjectId", "=", id)
      .execute();
    expect(entries).toEqual([{ action: "api-key.exhausted", actorKind: "system" }]);
  });

  test("keeps an exhausted key that has a refill", async () => {
    const { use, row } = await arrange({ remaining: 0, refillAmount: 5, refillInterval: 1 });
    expect(await use()).toMatchObject({ outcome: "exhausted" });
    expect(await row()).toMatchObject({ remaining: 0, lastRequest: null });
  });

  test("stays unlimited for an unlimited key", async () => {
    const { storm, row } = await arrange();
    expect(count(await storm(40), "valid")).toBe(40);
    expect(await row()).toMatchObject({ remaining: null, requestCount: 0 });
  });

  test("keeps uses that are added concurrently", async () => {
    const { storm, row, id } = await arrange({ remaining: 20 });
    const [verdicts] = await Promise.all([
      storm(16),
      db
        .updateTable("apiKey")
        .set((eb) => ({ remaining: eb("remaining", "+", 100) }))
        .where("id", "=", id)
        .execute(),
    ]);
    expect(count(verdicts, "valid")).toBe(16);
    expect(await row()).toMatchObject({ remaining: 104 });
  });
});

describe("a refill", () => {
  const refilled = { remaining: 1, refillAmount: 10, refillInterval: 2 };

  test("happens after its interval since the creation, and not before", async () => {
    const { use, at, row } = await arrange(refilled);
    at(2 * day);
    expect(await use()).toMatchObject({
      outcome: "valid",
      row: { remaining: 0, lastRefillAt: null },
    });
    expect(await use()).toMatchObject({ outcome: "exhausted" });
    at(2 * day + 1);
    expect(await use()).toMatchObject({ outcome: "valid", row: { remaining: 9 } });
    expect(await row()).toMatchObject({ lastRefillAt: new Date(start + 2 * day + 1) });
  });

  test("counts its interval from the last refill, and adds its amount once whatever was missed", async () => {
    const { use, at } = await arrange({ ...refilled, lastRefillAt: new Date(start + day) });
    at(3 * day);
    expect(await use()).toMatchObject({ row: { remaining: 0 } });
    at(30 * day);
    expect(await use()).toMatchObject({ row: { remaining: 9 } });
    expect(await use()).toMatchObject({ row: { remaining: 8 } });
  });

  test("is granted once to 32 concurrent uses at two replicas", async () => {
    const { storm, at, row } = await arrange(refilled);
    at(3 * day);
    const verdicts = await storm(32);
    expect(count(verdicts, "valid")).toBe(10);
    expect(count(verdicts, "exhausted")).toBe(22);
    expect(await row()).toMatchObject({ remaining: 0, lastRefillAt: new Date(start + 3 * day) });
  });

  test("is not consumed by a use that the rate limit refuses", async () => {
    const { use, at, row } = await arrange({
      ...refilled,
      rateLimitEnabled: true,
      rateLimitMax: 1,
      rateLimitTimeWindow: 5 * day,
    });
    await use();
    at(3 * day);
    expect(await use()).toMatchObject({ outcome: "rateLimited" });
    expect(await row()).toMatchObject({ remaining: 0, lastRefillAt: null });
  });
});

describe("a rate limit", () => {
  const limited = { rateLimitEnabled: true, rateLimitMax: 2, rateLimitTimeWindow: 1000 };

  test("admits exactly its maximum of 32 concurrent uses at two replicas", async () => {
    const { storm, row } = await arrange(limited);
    const verdicts = await storm(32);
    expect(count(verdicts, "valid")).toBe(2);
    expect(count(verdicts, "rateLimited")).toBe(30);
    expect(await row()).toMatchObject({ requestCount: 2 });
  });

  test("reports when to retry, to the millisecond", async () => {
    const { use, at } = await arrange(limited);
    await use();
    at(300);
    await use();
    at(700);
    expect(await use()).toMatchObject({ outcome: "rateLimited", tryAgainIn: 600 });
    at(1300);
    expect(await use()).toMatchObject({ outcome: "rateLimited", tryAgainIn: 1 });
    at(1301);
    expect(await use()).toMatchObject({ outcome: "valid", row: { requestCount: 1 } });
  });

  test("runs from the last admitted use: uses extend it, refusals do not", async () => {
    const { use, at } = await arrange({ ...limited, rateLimitMax: 3 });
    for (const moment of [0, 900, 1800]) {
      at(moment);
      expect(await use()).toMatchObject({ outcome: "valid" });
    }
    for (const moment of [2000, 2800]) {
      at(moment);
      expect(await use()).toMatchObject({ outcome: "rateLimited" });
    }
    at(2801);
    expect(await use()).toMatchObject({ outcome: "valid", row: { requestCount: 1 } });
  });

  test("charges no remaining use for a refusal", async () => {
    const { storm, row } = await arrange({ ...limited, remaining: 10 });
    const verdicts = await storm(16);
    expect(count(verdicts, "valid")).toBe(2);
    expect(count(verdicts, "rateLimited")).toBe(14);
    expect(await row()).toMatchObject({ remaining: 8 });
  });

  test("is checked after the remaining uses, so that the caller learns the permanent reason", async () => {
    const { storm } = await arrange({
      ...limited,
      rateLimitMax: 5,
      remaining: 3,
      refillAmount: 3,
      refillInterval: 9,
    });
    const verdicts = await storm(16);
    expect(count(verdicts, "valid")).toBe(3);
    expect(count(verdicts, "exhausted")).toBe(13);
  });

  test.each([
    ["the key", { rateLimitEnabled: false }, {}],
    ["the options", {}, { apiKey: { rateLimit: { enabled: false } } }],
  ])("disabled by %s counts nothing, and records the last use", async (_by, given, tree) => {
    const { storm, row } = await arrange({ ...limited, ...given }, tree);
    expect(count(await storm(16), "valid")).toBe(16);
    expect(await row()).toMatchObject({ requestCount: 0, lastRequest: new Date(start) });
  });

  test.each([{ rateLimitMax: null }, { rateLimitTimeWindow: null }])(
    "without its parameters (%j) limits nothing",
    async (given) => {
      const { storm, row } = await arrange({ ...limited, ...given });
      expect(count(await storm(16), "valid")).toBe(16);
      expect(await row()).toMatchObject({ requestCount: 0, lastRequest: null });
    },
  );

  test("never moves the last use back if the clock goes back", async () => {
    const { use, at, row } = await arrange(limited);
    at(500);
    await use();
    at(0);
    await use();
    expect(await row()).toMatchObject({ lastRequest: new Date(start + 500), requestCount: 2 });
  });
});

describe("an unusable key", () => {
  test.each([{ enabled: false }, { disabledByAdmin: true }])(
    "is refused as disabled: %j",
    async (given) => {
      const { storm, row } = await arrange({ remaining: 5, ...given });
      expect(count(await storm(16), "disabled")).toBe(16);
      expect(await row()).toMatchObject({ remaining: 5 });
    },
  );

  test("that expired is refused and deleted, with an audit entry", async () => {
    const { id, use, at, row } = await arrange({ expiresAt: new Date(start + 1000) });
    at(1000);
    expect(await use()).toMatchObject({ outcome: "valid" });
    at(1001);
    expect(await use()).toMatchObject({ outcome: "expired" });
    expect(await row()).toBeUndefined();
    const entries = await db
      .selectFrom("audit")
      .select("action")
      .where("subjectId", "=", id)
      .execute();
    expect(entries).toEqual([{ action: "api-key.expired" }]);
    expect(await use()).toEqual({ outcome: "unknown" });
  });

  const owner = async (known: { banned: boolean; bannedUntil?: Date; departedAt?: Date }) => {
    const userId = newTextId();
    await db
      .insertInto("owner")
      .values({ userId, revision: 1, bannedUntil: null, departedAt: null, ...known })
      .execute();
    return userId;
  };

  test.each([
    ["is banned", { banned: true }, "banned"],
    ["is banned for a while", { banned: true, bannedUntil: new Date(start + 1) }, "banned"],
    ["was banned until now", { banned: true, bannedUntil: new Date(start) }, "valid"],
    ["was banned once", { banned: false, bannedUntil: new Date(start + day) }, "valid"],
    ["was deleted", { banned: false, departedAt: new Date(start) }, "unknown"],
  ] as const)("whose owner %s: %j is %s", async (_case, known, outcome) => {
    const { use } = await arrange({ userId: await owner(known) });
    expect(await use()).toMatchObject({ outcome });
  });

  test("is refused for the first of several reasons: disabled, expired, banned, forbidden, exhausted", async () => {
    const userId = await owner({ banned: true });
    const all = {
      enabled: false,
      expiresAt: new Date(start - 1),
      userId,
      permissions: JSON.stringify({ a: ["b"] }),
      remaining: 0,
      refillAmount: 1,
      refillInterval: 1,
    };
    const forbidden = { permissions: JSON.stringify({ x: ["y"] }) };
    const { enabled: _, ...enabled } = all;
    const { expiresAt: __, ...living } = enabled;
    const { userId: ___, ...free } = living;
    const { permissions: ____, ...unlimited } = free;
    const firsts = [all, enabled, living, free].map(async (given) => {
      const { use } = await arrange(given);
      return use(forbidden);
    });
    expect(outcomes(await Promise.all(firsts))).toEqual([
      "disabled",
      "expired",
      "banned",
      "forbidden",
    ]);
    expect(await (await arrange(unlimited)).use()).toMatchObject({ outcome: "exhausted" });
  });
});

describe("permissions", () => {
  const granted = JSON.stringify({ files: ["read", "write"], none: [] });
  test.each([
    [null, "valid"],
    [{ files: ["read"] }, "valid"],
    [{ files: ["write", "read"] }, "valid"],
    [{ files: [] }, "valid"],
    [{ files: ["read"], none: [] }, "valid"],
    [{ files: ["delete"] }, "forbidden"],
    [{ files: ["read", "delete"] }, "forbidden"],
    [{ none: ["read"] }, "forbidden"],
    [{ others: ["read"] }, "forbidden"],
    [{ others: [] }, "forbidden"],
    [{ files: ["read"], others: ["read"] }, "forbidden"],
    [{ toString: [] }, "forbidden"],
    [{}, "forbidden"],
  ])("of a restricted key, asked for %j, are %s", async (asked, outcome) => {
    const { use, row } = await arrange({ permissions: granted, remaining: 5 });
    const permissions = asked && JSON.stringify(asked);
    for (const passesUnrestricted of [true, false])
      expect(await use({ permissions, passesUnrestricted })).toMatchObject({ outcome });
    expect(await row()).toMatchObject({ remaining: outcome === "valid" ? 3 : 5 });
  });

  test.each([
    [false, "forbidden"],
    [true, "valid"],
  ])(
    "of an unrestricted key, with passesUnrestricted %s, are %s",
    async (passesUnrestricted, outcome) => {
      const { use } = await arrange();
      const permissions = JSON.stringify({ files: ["read"] });
      expect(await use({ permissions, passesUnrestricted })).toMatchObject({ outcome });
    },
  );
});

describe("concurrent uses", () => {
  test("of one key with different permissions are counted together", async () => {
    const { use, row } = await arrange({
      remaining: 9,
      refillAmount: 1,
      refillInterval: 30,
      permissions: JSON.stringify({ files: ["read", "write"] }),
    });
    const questions = [null, { files: ["read"] }, { files: ["write"] }, { files: ["delete"] }];
    const verdicts = await Promise.all(
      Array.from({ length: 48 }, (_, index) => {
        const question = questions[index % questions.length];
        return use({ permissions: question ? JSON.stringify(question) : null }, index % 2);
      }),
    );
    expect(count(verdicts, "valid")).toBe(9);
    expect(count(verdicts, "forbidden")).toBe(12);
    expect(count(verdicts, "exhausted")).toBe(27);
    expect(await row()).toMatchObject({ remaining: 0 });
  });

  test("of many keys at two replicas each get the reply for their own key, without deadlocks", async () => {
    const keys = await Promise.all(
      Array.from({ length: 40 }, () =>
        arrange({ remaining: 6, refillAmount: 1, refillInterval: 30 }),
      ),
    );
    const [first] = keys;
    if (!first) throw new Error("no keys");
    const texts = await db
      .selectFrom("apiKey")
      .select(["id", "key"])
      .where(
        "id",
        "in",
        keys.map(({ id }) => id),
      )
      .execute();
    // Sends each round forwards and backwards through both replicas, so that statements collide.
    const uses = Array.from({ length: 16 }, (_, round) => {
      const order = round % 4 < 2 ? texts : texts.toReversed();
      return order.map(({ id, key }) => ({ id, verdict: first.use({ key }, round % 2) }));
    }).flat();
    const settled = await Promise.all(
      uses.map(async ({ id, verdict }) => ({ id, verdict: await verdict })),
    );
    for (const { id, verdict } of settled) expect(rowOf(verdict).id).toBe(id);
    for (const { id } of keys) {
      const own = settled.filter((one) => one.id === id).map(({ verdict }) => verdict);
      expect([count(own, "valid"), count(own, "exhausted")]).toEqual([6, 10]);
    }
  });
});

describe("many concurrent uses of one key", () => {
  test("with three hundred different permissions are all admitted, each with its own reply", async () => {
    const resources = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`r${index}`, ["read"]]),
    );
    const { use, row } = await arrange({
      remaining: 1_000,
      permissions: JSON.stringify(resources),
    });
    const verdicts = await Promise.all(
      Object.keys(resources).map((name) =>
        use({ permissions: JSON.stringify({ [name]: ["read"] }) }),
      ),
    );
    expect(count(verdicts, "valid")).toBe(300);
    expect(await row()).toMatchObject({ remaining: 700 });
  });

  test("get their verdicts even if the exhausted key cannot be deleted", async () => {
    const { use, row } = await arrange({ remaining: 3 });
    await sql`create function apikey.fail() returns trigger language plpgsql as
      $$ begin raise exception 'no deletions today'; end $$`.execute(db);
    await sql`create trigger fail before delete on apikey.api_key for each row execute function apikey.fail()`.execute(
      db,
    );
    const verdicts = await Promise.all(Array.from({ length: 16 }, () => use()));
    await sql`drop trigger fail on apikey.api_key`.execute(db);
    expect([count(verdicts, "valid"), count(verdicts, "exhausted")]).toEqual([3, 13]);
    expect(await row()).toMatchObject({ remaining: 0 });
    expect(await use()).toMatchObject({ outcome: "exhausted" });
    expect(await row()).toBeUndefined();
  });

  test("get an error instead of waiting if they cannot be decided", async () => {
    const { use, row } = await arrange({ remaining: 5 });
    // Simulates a concurrent change of the key at each try.
    await sql`create function apikey.pass() returns trigger language plpgsql as
      $$ begin return null; end $$`.execute(db);
    await sql`create trigger pass before update on apikey.api_key for each row execute function apikey.pass()`.execute(
      db,
    );
    const verdicts = await Promise.all([use(), use()]);
    await sql`drop trigger pass on apikey.api_key`.execute(db);
    expect(outcomes(verdicts)).toEqual(["unsettled", "unsettled"]);
    expect(await row()).toMatchObject({ remaining: 5 });
  });
});

test("fail while the store fails, and succeed once it is back", async () => {
  const { use } = await arrange();
  const rename = (from: string, to: string) =>
    sql`alter table ${sql.id("apikey", from)} rename to ${sql.id(to)}`.execute(db);
  await rename("api_key", "away");
  const failed = await Promise.allSettled([use(), use(), use()]);
  await rename("away", "api_key");
  expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(await use()).toMatchObject({ outcome: "valid" });
});
