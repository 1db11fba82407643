import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { type Backends, startBackends } from "../../../libs/testkit/src/backends.ts";
import { createTestRedis, type TestRedis } from "../../../libs/testkit/src/test-redis.ts";
import { migrateAll } from "../../../scripts/run-all.ts";
import { describeMachine, type Machine } from "./machine.ts";
import { createStoreKeeper, type KeptStores } from "./kept-stores.ts";
import type { StackInput } from "./stack-settings.ts";
import { stackSettings } from "./stack-settings.ts";

export interface BenchOptions {
  warmUpSeconds: number;
  roundSeconds: number;
  rounds: number;
  connections: number;
  /** Takes CPU profiles; what is measured meanwhile says little. */
  profile: boolean;
}

/** A database with every schema in place, and a Redis with a key prefix; empty, the row's own. */
export interface Stores {
  databaseUrl: string;
  redis: TestRedis;
  /** What the stack is started with: sessions live in Redis where `redis` says so. */
  stackInput(where: "postgres" | "redis"): StackInput;
}

/** What rows measure with. */
export interface Bench {
  options: BenchOptions;
  say: (text: string) => void;
  /** Gives `work` stores of its own and removes them after it. */
  withStores<T>(work: (stores: Stores) => Promise<T>): Promise<T>;
  /** Stores for so many rows, the same ones until another ground is asked for. */
  keepStores(ground: string, count: number): Promise<KeptStores>;
  /** What everything is measured on. */
  machine(): Promise<Machine>;
  /** The most expensive functions of the profiles that were taken, ours alone. */
  profiled: string[];
  stop(): Promise<void>;
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

const createStores = async ({ databaseUrl: serverUrl, redisUrl }: Backends) => {
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

/** Backends start with the first row that wants them. */
export const createBench = (options: BenchOptions, say: (text: string) => void): Bench => {
  let backends: Promise<Backends> | undefined;
  const ready = () => (backends ??= startBackends());
  const open = async () => createStores(await ready());
  const keeper = createStoreKeeper(open);
  return {
    options,
    say,
    withStores: async (work) => {
      const { stores, remove } = await open();
      try {
        return await work(stores);
      } finally {
        await remove();
      }
    },
    keepStores: keeper.keep,
    machine: async () => describeMachine(await ready()),
    profiled: [],
    stop: async () => {
      await keeper.removeAll();
      await (await backends)?.stop();
    },
  };
};
