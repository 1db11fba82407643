import { createRedisKeys } from "@latchkey/service-kit/database";
import { createTestRedis, type TestRedis } from "@latchkey/testkit";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createRedisLimiter } from "./choose-limiter.ts";

const rule = { windowSeconds: 10, max: 3 };
let backend: TestRedis;

beforeAll(async () => {
  backend = await createTestRedis(inject("redisUrl"));
});
afterAll(() => backend.close());

describe("the Redis limiter", () => {
  const arrange = () =>
    createRedisLimiter({ redis: backend.client, keyOf: createRedisKeys(backend.keyPrefix) });
  const storedKey = (key: string) => `${backend.keyPrefix}:limit:{${key}}`;

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

  test("the window starts at its first request, and later requests do not extend it", async () => {
    const limiter = arrange();
    await limiter.hit("fixed", rule);
    await backend.client.pexpire(storedKey("fixed"), 4000);
    await limiter.hit("fixed", rule);
    await limiter.hit("fixed", rule);
    expect(await limiter.hit("fixed", rule)).toEqual({ allowed: false, retryAfterSeconds: 4 });
    expect(await backend.client.pttl(storedKey("fixed"))).toBeLessThanOrEqual(4000);
    expect(await backend.client.get(storedKey("fixed"))).toBe("3");
  });

  test("an expired window is followed by a full new one", async () => {
    const limiter = arrange();
    for (let count = 0; count < 4; count++) await limiter.hit("over", rule);
    await backend.client.pexpire(storedKey("over"), 1);
    await expect.poll(() => backend.client.exists(storedKey("over"))).toBe(0);
    expect(await limiter.hit("over", rule)).toEqual({ allowed: true });
    expect(await backend.client.get(storedKey("over"))).toBe("1");
  });

  test("every key lives exactly as long as its window", async () => {
    await arrange().hit("ttl", { windowSeconds: 60, max: 3 });
    const remaining = await backend.client.pttl(storedKey("ttl"));
    expect(remaining).toBeGreaterThan(55_000);
    expect(remaining).toBeLessThanOrEqual(60_000);
  });

  test("a key that lost its time to live locks no client out", async () => {
    await backend.client.set(storedKey("stuck"), "99");
    expect(await arrange().hit("stuck", rule)).toEqual({ allowed: true });
    expect(await backend.client.pttl(storedKey("stuck"))).toBeGreaterThan(0);
  });

  test("each key and prefix has its own count", async () => {
    const once = { windowSeconds: 10, max: 1 };
    const other = createRedisLimiter({
      redis: backend.client,
      keyOf: createRedisKeys(`other-${backend.keyPrefix}`),
    });
    expect(await arrange().hit("one", once)).toEqual({ allowed: true });
    expect(await arrange().hit("two", once)).toEqual({ allowed: true });
    expect(await other.hit("one", once)).toEqual({ allowed: true });
    expect(await arrange().hit("one", once)).toMatchObject({ allowed: false });
  });

  test("a maximum of 0 refuses every request and stores nothing", async () => {
    expect(await arrange().hit("zero", { windowSeconds: 5, max: 0 })).toEqual({
      allowed: false,
      retryAfterSeconds: 5,
    });
    expect(await backend.client.exists(storedKey("zero"))).toBe(0);
  });

  test("a script that Redis lost is sent again", async () => {
    const limiter = arrange();
    await limiter.hit("flushed", rule);
    await Promise.all(backend.servers().map((server) => server.script("FLUSH")));
    expect(await limiter.hit("flushed", rule)).toEqual({ allowed: true });
  });
});
