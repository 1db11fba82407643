import {
  createTestDatabase,
  createTestRedis,
  type TestDatabase,
  type TestRedis,
} from "@latchkey/testkit";
import { type Kysely, sql } from "kysely";
import type pg from "pg";
import { createDatabase } from "../database/database.ts";
import { addOutboxTraces, createKitTables, type KitTables } from "../database/kit-tables.ts";
import { createPostgresPool } from "../database/postgres-pool.ts";
import { createLogger } from "../observe/logger.ts";
import { type BullmqBusOptions, createBullmqBus, migrateBus } from "./bullmq-bus.ts";
import type { Bus } from "./bus.ts";

export type BackendKind = "redis" | "postgres";
export const backendKinds: readonly BackendKind[] = ["redis", "postgres"];

/** A bus on a real store for tests, with access to that store. */
export interface TestBackend {
  database: TestDatabase;
  db: Kysely<KitTables>;
  /** Creates a bus with quick retries and locks, closed with the backend. */
  createBus(overrides?: Partial<BullmqBusOptions>): Bus;
  backend: BullmqBusOptions["backend"];
  /** Returns everything that the store holds of the bus, as text. */
  dump(): Promise<string>;
  /** Returns the stored data of a job. */
  readData(queue: string, id: string): Promise<unknown>;
  /** Simulates a process that ends between the effect and the completion. */
  wipeData(queue: string, id: string): Promise<void>;
  /** Sets one equal, old failure time for the failed jobs. */
  failAtOneMoment(queue: string, ids: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

const schema = "kit";
export const silentLogger = createLogger({ service: "test", level: "silent" });

const openKit = (url: string): Kysely<KitTables> =>
  createDatabase<KitTables>({
    pool: createPostgresPool({ url, max: 10, logger: silentLogger, applicationName: "test" }),
    schema,
    preparedStatements: true,
  });

const buildKit = async (url: string): Promise<void> => {
  const db = openKit(url);
  await sql`create schema ${sql.id(schema)}`.execute(db);
  await createKitTables(db);
  await addOutboxTraces(db);
  await db.destroy();
};

export const openDatabase = async (baseUrl: string, migrated: boolean) => {
  const build = async (url: string) => {
    await buildKit(url);
    if (migrated) await migrateBus(url);
  };
  const template = { name: `service-kit-bus-${migrated}`, hash: "2", build };
  const database = await createTestDatabase({ baseUrl, template });
  return { database, db: openKit(database.url) };
};

const quick = {
  backoff: { baseMilliseconds: 10, maxMilliseconds: 50 },
  lockMilliseconds: 500,
  stalledMilliseconds: 200,
  lookMilliseconds: 1_000,
  commandMilliseconds: 5_000,
};

export const withBuses = (backend: BullmqBusOptions["backend"]) => {
  const buses: Bus[] = [];
  return {
    createBus: (overrides?: Partial<BullmqBusOptions>) => {
      const bus = createBullmqBus({
        backend,
        logger: silentLogger,
        attemptsMax: 20,
        ...quick,
        ...overrides,
      });
      buses.push(bus);
      return bus;
    },
    closeBuses: () => Promise.all(buses.map((bus) => bus.close())),
  };
};

const longAgo = Date.UTC(2020, 0, 1);

const inspectRedis = ({ client, keys, keyPrefix: tag }: TestRedis) => ({
  dump: async () => {
    const texts: string[] = [];
    for (const key of await keys(`*${tag}*`)) {
      const kind = await client.type(key);
      if (kind === "hash") texts.push(key, JSON.stringify(await client.hgetall(key)));
      if (kind === "stream") texts.push(key, JSON.stringify(await client.xrange(key, "-", "+")));
      if (kind === "list") texts.push(key, ...(await client.lrange(key, 0, -1)));
      if (kind === "zset") texts.push(key, ...(await client.zrange(key, "0", "-1")));
    }
    return texts.join("\n");
  },
  readData: async (queue: string, id: string) =>
    JSON.parse((await client.hget(`{${tag}}:${queue}:${id}`, "data")) ?? "null") as unknown,
  wipeData: async (queue: string, id: string) =>
    void (await client.hset(`{${tag}}:${queue}:${id}`, "data", "{}")),
  failAtOneMoment: async (queue: string, ids: readonly string[]) => {
    for (const id of ids) await client.zadd(`{${tag}}:${queue}:failed`, longAgo, id);
  },
});

const inspectPostgres = (pool: pg.Pool) => ({
  dump: async () => {
    const { rows } = await pool.query(
      "select job::text as text from bus.job union all select event::text from bus.event",
    );
    return rows.map(({ text }: { text: string }) => text).join("\n");
  },
  readData: async (queue: string, id: string) => {
    const { rows } = await pool.query("select data from bus.job where queue = $1 and id = $2", [
      queue,
      id,
    ]);
    return rows[0]?.data as unknown;
  },
  wipeData: async (queue: string, id: string) =>
    void (await pool.query("update bus.job set data = '{}' where queue = $1 and id = $2", [
      queue,
      id,
    ])),
  failAtOneMoment: async (queue: string, ids: readonly string[]) =>
    void (await pool.query(
      "update bus.job set finished_at_ms = $3 where queue = $1 and id = any($2)",
      [queue, ids, longAgo],
    )),
});

/** Opens an available store. */
export const openTestBackend = async (
  kind: BackendKind,
  urls: { databaseUrl: string; redisUrl: string },
): Promise<TestBackend> => {
  const { database, db } = await openDatabase(urls.databaseUrl, true);
  const redis = await createTestRedis(urls.redisUrl);
  const pool = createPostgresPool({
    url: database.url,
    max: 2,
    logger: silentLogger,
    applicationName: "test",
  });
  const backend: BullmqBusOptions["backend"] =
    kind === "redis"
      ? { kind, url: redis.url, prefix: redis.keyPrefix }
      : { kind, url: database.url, schema: "bus" };
  const { createBus, closeBuses } = withBuses(backend);
  return {
    database,
    db,
    backend,
    createBus,
    ...(kind === "redis" ? inspectRedis(redis) : inspectPostgres(pool)),
    close: async () => {
      await closeBuses();
      await Promise.all([redis.close(), pool.end(), db.destroy()]);
      await database.drop();
    },
  };
};
