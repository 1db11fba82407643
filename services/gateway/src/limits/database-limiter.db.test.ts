import { createDatabase, createPostgresPool, migrate } from "@latchkey/service-kit/database";
import { createLogger } from "@latchkey/service-kit/observe";
import { createTestDatabase, type TestDatabase } from "@latchkey/testkit";
import { type Kysely, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { migrations } from "../db/migrations.ts";
import { createDatabaseLimiter } from "./choose-limiter.ts";

const rule = { windowSeconds: 10, max: 3 };
let database: TestDatabase;
let db: Kysely<unknown>;

beforeAll(async () => {
  database = await createTestDatabase({
    baseUrl: inject("databaseUrl"),
    template: { name: "empty", hash: "", build: async () => {} },
  });
  const pool = createPostgresPool({
    url: database.url,
    max: 16,
    logger: createLogger({ service: "test", level: "silent" }),
    applicationName: "latchkey-test",
  });
  db = createDatabase({ pool, schema: "gateway", preparedStatements: true });
  await migrate({ db, schema: "gateway", migrations });
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

describe("the database limiter", () => {
  const arrange = (clock: () => number = () => 0) => createDatabaseLimiter({ db, clock });
  const rowOf = async (key: string) => {
    const result = await sql<{ count: number; lastRequest: string; endsAt: string }>`
      select count, last_request as "lastRequest", window_ends_at as "endsAt" from gateway.rate_limit where key = ${key}
    `.execute(db);
    return result.rows[0];
  };
  const age = (key: string, ms: number) =>
    sql`update gateway.rate_limit set window_ends_at = window_ends_at - ${ms}::bigint where key = ${key}`.execute(
      db,
    );

  test("of 16 callers at two replicas with a maximum of 3, exactly 3 pass", async () => {
    const replicas = [arrange(), arrange()] as const;
    const decisions = await Promise.all(
      Array.from({ length: 16 }, async (_, index) =>
        replicas[index % 2 === 0 ? 0 : 1].hit("race", rule),
      ),
    );
    expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(3);
    expect(decisions.filter(({ allowed }) => !allowed)).toEqual(
      Array(13).fill({ allowed: false, retryAfterSeconds: 10 }),
    );
  });

  test("a reset ends the windows of its keys only, whichever replica counted", async () => {
    const [one, other] = [arrange(), arrange()];
    for (const key of ["reset", "kept"])
      for (let count = 0; count < 3; count++) await one.hit(key, rule);
    expect(await other.reset(["reset", "unknown"])).toBe(1);
    expect(await one.hit("reset", rule)).toEqual({ allowed: true });
    expect(await one.hit("kept", rule)).toMatchObject({ allowed: false });
  });

  test("of 16 callers on an expired window, exactly 3 pass", async () => {
    const limiter = arrange();
    for (let count = 0; count < 4; count++) await limiter.hit("again", rule);
    await age("again", 10_000);
    const decisions = await Promise.all(
      Array.from({ length: 16 }, async () => limiter.hit("again", rule)),
    );
    expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(3);
    expect(
      decisions.every((decision) => decision.allowed || decision.retryAfterSeconds === 10),
    ).toBe(true);
  });

  test("the window starts at its first request, and later requests do not extend it", async () => {
    const limiter = arrange();
    await limiter.hit("fixed", rule);
    await age("fixed", 6000);
    const before = await rowOf("fixed");
    await limiter.hit("fixed", rule);
    await limiter.hit("fixed", rule);
    expect(await limiter.hit("fixed", rule)).toEqual({ allowed: false, retryAfterSeconds: 4 });
    expect(await rowOf("fixed")).toMatchObject({ count: 3, endsAt: before?.endsAt });
  });

  test("a refused request does not change the row", async () => {
    const limiter = arrange();
    for (let count = 0; count < 3; count++) await limiter.hit("refused", rule);
    const before = await rowOf("refused");
    await limiter.hit("refused", rule);
    expect(await rowOf("refused")).toEqual(before);
  });

  test("each key has its own count", async () => {
    const once = { windowSeconds: 10, max: 1 };
    const limiter = arrange();
    expect(await limiter.hit("one", once)).toEqual({ allowed: true });
    expect(await limiter.hit("two", once)).toEqual({ allowed: true });
    expect(await limiter.hit("one", once)).toMatchObject({ allowed: false });
  });

  test("a maximum of 0 refuses every request and stores nothing", async () => {
    expect(await arrange().hit("zero", { windowSeconds: 5, max: 0 })).toEqual({
      allowed: false,
      retryAfterSeconds: 5,
    });
    expect(await rowOf("zero")).toBeUndefined();
  });

  test("once a minute a request deletes the expired windows, and only those", async () => {
    let now = 1_000_000;
    const limiter = arrange(() => now);
    await limiter.hit("old", rule);
    await limiter.hit("live", { windowSeconds: 600, max: 3 });
    await age("old", 10_000);
    now += 59_999;
    await limiter.hit("live", rule);
    expect(await rowOf("old")).toBeDefined();
    now += 1;
    await limiter.hit("live", rule);
    await expect.poll(() => rowOf("old")).toBeUndefined();
    expect(await rowOf("live")).toMatchObject({ count: 3 });
  });

  /** Attack: more addresses in a minute than one sweep deletes, so that the table grows without limit. */
  test("a sweep deletes every expired window, however many there are", async () => {
    let now = 1_000_000;
    const limiter = arrange(() => now);
    await sql`
      insert into gateway.rate_limit (key, count, window_ends_at)
      select 'flood ' || n, 1, 0 from generate_series(1, 5000) as n
    `.execute(db);
    now += 60_000;
    await limiter.hit("live", { windowSeconds: 600, max: 100 });
    await expect.poll(() => rowOf("flood 5000")).toBeUndefined();
    const counted = sql<{ count: number }>`
      select count(*)::integer as count from gateway.rate_limit where key like 'flood %'
    `;
    await expect.poll(async () => (await counted.execute(db)).rows).toEqual([{ count: 0 }]);
  });
});
