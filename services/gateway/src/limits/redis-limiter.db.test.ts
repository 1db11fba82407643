import { createRedisKeys } from "@latchkey/service-kit";
import { createTestRedis, type TestRedis } from "@latchkey/testkit";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createRedisLimiter } from "./redis-limiter.ts";

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

  test("16 callers at a maximum of 3, from two replicas: exactly 3 get in", async () => {
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

  test("the window runs from its first request, accepted and refused ones extend nothing", async () => {
    const limiter = arrange();
    await limiter.hit("fixed", rule);
    await backend.client.pexpire(storedKey("fixed"), 4000);
    await limiter.hit("fixed", rule);
    await limiter.hit("fixed", rule);
    expect(await limiter.hit("fixed", rule)).toEqual({ allowed: false, retryAfterSeconds: 4 });
    expect(await backend.client.pttl(storedKey("fixed"))).toBeLessThanOrEqual(4000);
    expect(await backend.client.get(storedKey("fixed"))).toBe("3");
  });

  test("a window that is over makes room for a full new one", async () => {
    const limiter = arrange();
    for (let count = 0; count < 4; count++) await limiter.hit("over", rule);
    await backend.client.pexpire(storedKey("over"), 1);
    await expect.poll(() => backend.client.exists(storedKey("over"))).toBe(0);
    expect(await limiter.hit("over", rule)).toEqual({ allowed: true });
    expect(await backend.client.get(storedKey("over"))).toBe("1");
  });

  test("every key lives as long as its window, no longer", async () => {
    await arrange().hit("ttl", { windowSeconds: 60, max: 3 });
    const remaining = await backend.client.pttl(storedKey("ttl"));
    expect(remaining).toBeGreaterThan(55_000);
    expect(remaining).toBeLessThanOrEqual(60_000);
  });

  test("a key that lost its time to live locks nobody out", async () => {
    await backend.client.set(storedKey("stuck"), "99");
    expect(await arrange().hit("stuck", rule)).toEqual({ allowed: true });
    expect(await backend.client.pttl(storedKey("stuck"))).toBeGreaterThan(0);
  });

  test("keys and prefixes do not share a count", async () => {
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

  test("a maximum of 0 lets nobody in and stores nothing", async () => {
    expect(await arrange().hit("zero", { windowSeconds: 5, max: 0 })).toEqual({
      allowed: false,
      retryAfterSeconds: 5,
    });
    expect(await backend.client.exists(storedKey("zero"))).toBe(0);
  });

  test("a script that Redis forgot is sent again", async () => {
    const limiter = arrange();
    await limiter.hit("flushed", rule);
    await Promise.all(backend.servers().map((server) => server.script("FLUSH")));
    expect(await limiter.hit("flushed", rule)).toEqual({ allowed: true });
  });
});
