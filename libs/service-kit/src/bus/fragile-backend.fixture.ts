import { startRedisServer } from "@latchkey/testkit";
import type { Kysely } from "kysely";
import pg from "pg";
import type { KitTables } from "../database/kit-tables.ts";
import { createPostgresPool } from "../database/postgres-pool.ts";
import { type BullmqBusOptions, migrateBus } from "./bullmq-bus.ts";
import type { Bus } from "./bus.ts";
import { type BackendKind, openDatabase, silentLogger, withBuses } from "./test-backend.fixture.ts";

/** A test store that starts unavailable and can be lost. */
export interface FragileBackend {
  db: Kysely<KitTables>;
  createBus(overrides?: Partial<BullmqBusOptions>): Bus;
  bringUp(): Promise<void>;
  /** Makes the store unavailable for a moment, with its connections and data lost. */
  loseAndReturn(): Promise<void>;
  /** Makes the store unavailable permanently. */
  lose(): Promise<void>;
  close(): Promise<void>;
}

export const openFragileBackend = async (
  kind: BackendKind,
  urls: { databaseUrl: string },
): Promise<FragileBackend> =>
  kind === "redis" ? openFragileRedis(urls) : openFragilePostgres(urls);

const openFragileRedis = async (urls: { databaseUrl: string }): Promise<FragileBackend> => {
  const { database, db } = await openDatabase(urls.databaseUrl, true);
  const server = await startRedisServer();
  await server.kill();
  const { createBus, closeBuses } = withBuses({ kind: "redis", url: server.url });
  return {
    db,
    createBus,
    bringUp: () => server.restart(),
    lose: () => server.kill(),
    loseAndReturn: async () => {
      await server.kill();
      await server.restart();
    },
    close: async () => {
      await closeBuses();
      await Promise.all([server.stop(), db.destroy()]);
      await database.drop();
    },
  };
};

/** Uses a separate database for the bus, so that the outbox survives its loss. */
const openFragilePostgres = async (urls: { databaseUrl: string }): Promise<FragileBackend> => {
  const [{ database, db }, store] = await Promise.all([
    openDatabase(urls.databaseUrl, true),
    openDatabase(urls.databaseUrl, false),
  ]);
  const { url } = store.database;
  const name = new URL(url).pathname.slice(1);
  const { createBus, closeBuses } = withBuses({ kind: "postgres", url, schema: "bus" });
  const admin = createPostgresPool({
    url: urls.databaseUrl,
    max: 1,
    logger: silentLogger,
    applicationName: "test",
  });
  const allowConnections = (allowed: boolean) =>
    admin.query(`alter database ${name} with allow_connections ${allowed}`);
  const endConnections = () =>
    admin.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [
      name,
    ]);
  const forget = async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query("delete from bus.job");
    await client.end();
  };
  return {
    db,
    createBus,
    bringUp: () => migrateBus(url),
    // Ending the connections would miss one that is just being made.
    lose: () => store.database.drop(),
    loseAndReturn: async () => {
      await allowConnections(false);
      await endConnections();
      await allowConnections(true);
      await forget();
    },
    close: async () => {
      await closeBuses();
      await Promise.all([db.destroy(), store.db.destroy(), admin.end()]);
      await Promise.all([database.drop(), store.database.drop()]);
    },
  };
};
