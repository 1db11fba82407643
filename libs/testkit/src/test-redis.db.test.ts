import { expect, inject, test } from "vitest";
import { expectNoLeaks } from "./leak-check.ts";
import { createTestRedis } from "./test-redis.ts";

expectNoLeaks();

test("closing deletes the file's own keys, including hash-tagged ones, and no others", async () => {
  const mine = await createTestRedis(inject("redisUrl"));
  const other = await createTestRedis(inject("redisUrl"));
  const names = [`${mine.keyPrefix}a`, `{${mine.keyPrefix}user}:b`, `${other.keyPrefix}c`];
  await Promise.all(names.map((name) => mine.client.set(name, "1")));
  await mine.close();
  expect(await Promise.all(names.map((name) => other.client.exists(name)))).toEqual([0, 0, 1]);
  await other.close();
});
