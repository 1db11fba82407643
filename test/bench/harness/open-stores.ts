import { randomBytes } from "node:crypto";
import { Client } from "pg";
import type { Backends } from "../../../libs/testkit/src/backends.ts";
import { createTestRedis, type TestRedis } from "../../../libs/testkit/src/test-redis.ts";
import { migrateAll } from "../../../apps/cli/src/installation/migrate-all.ts";
import { type StackInput, stackSettings } from "./stack-settings.ts";

/** A database with every schema and a Redis key prefix. Both are empty and used by one row only. */
export interface Stores {
  databaseUrl: string;
  redis: TestRedis;
  /** Returns the input of the stack. Sessions are in Redis if `where` is `redis`. */
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

/** Opens stores, and returns how to remove them. */
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
