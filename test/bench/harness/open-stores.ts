import { randomBytes } from "node:crypto";
import { Client } from "pg";
import type { Backends } from "../../../libs/testkit/src/backends.ts";
import { createTestRedis, type TestRedis } from "../../../libs/testkit/src/test-redis.ts";
import { migrateAll } from "../../../scripts/run-all.ts";
import { type StackInput, stackSettings } from "./stack-settings.ts";

/** A database with every schema in place, and a Redis with a key prefix; empty, the row's own. */
export interface Stores {
  databaseUrl: string;
  redis: TestRedis;
  /** What the stack is started with: sessions live in Redis where `redis` says so. */
  stackInput(where: "postgres" | "redis"): StackInput;
}

const onServer = async (url: string, statement: string): Promise<void> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
};

/** Stores for one use, and how to remove them. */
export const openStores = async ({
  databaseUrl: serverUrl,
  redisUrl,
}: Pick<Backends, "databaseUrl" | "redisUrl">) => {
  const name = `latchkey_bench_${randomBytes(6).toString("hex")}`;
  await onServer(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await migrateAll(stackSettings({ databaseUrl: url.href }));
  const redis = await createTestRedis(redisUrl);
  const stores: Stores = {
    databaseUrl: url.href,
    redis,
    stackInput: (where) => ({
      databaseUrl: url.href,
      ...(where === "redis"
        ? { redis: { url: redis.url, keyPrefix: redis.keyPrefix.slice(0, -1) } }
        : {}),
    }),
  };
  const remove = async () => {
    await redis.close();
    await onServer(serverUrl, `drop database ${name} with (force)`);
  };
  return { stores, remove };
};
