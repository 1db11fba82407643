import {
  type BackendFactory,
  PostgresConnection,
  type PostgresConnectionOptions,
  type PostgresQueueBackend,
  withBackend,
} from "bullmq";
import { createPostgresPool } from "../database/postgres-pool.ts";
import type { Logger } from "../observe/logger.ts";
import type { BullmqQueue, BullmqStore, BullmqWorker } from "./bullmq-store.ts";
import { createPostgresFailures } from "./postgres-failures.ts";
import { RestingBackend } from "./resting-backend.ts";
import { SmallBatchBackend } from "./small-batch-backend.ts";

export interface PostgresStoreOptions {
  /** Address of a server that supports LISTEN, so not of a transaction pooler. */
  url: string;
  schema: "bus";
}

const commandMilliseconds = 5_000;
const producerConnections = 2;
const workerConnections = 4;
const operatorConnections = 2;

/** BullMQ on Postgres: a small pool each for queues, workers and operators, and a LISTEN connection per worker. */
export const createPostgresStore = (options: PostgresStoreOptions, logger: Logger): BullmqStore => {
  const pool = (max: number) =>
    createPostgresPool({ url: options.url, max, logger, applicationName: "latchkey-bus" });
  const health = pool(1);
  const failures = pool(operatorConnections);
  const connect = (max: number) => {
    const connection = new PostgresConnection({
      connectionString: options.url,
      schema: options.schema,
      max,
      query_timeout: commandMilliseconds,
      connectionTimeoutMillis: commandMilliseconds,
      keepAlive: true,
    });
    // A checked-out client has no error listener of the pool, and an unhandled error ends the process.
    connection.pool.on(
      "connect",
      (client: { on(event: "error", listener: () => void): unknown }) => {
        client.on("error", () => {});
      },
    );
    return connection;
  };
  type Factory = BackendFactory<PostgresQueueBackend, PostgresConnectionOptions>;
  const producing: Factory = (name, settings) =>
    new SmallBatchBackend(connect(producerConnections), name, settings);
  const working: Factory = (name, settings) =>
    new RestingBackend(connect(workerConnections), name, settings);
  const { Queue } = withBackend(producing);
  const { Worker } = withBackend(working);
  const connection = options.url; // required by the type; the factories connect
  return {
    // The types differ from those on Redis only in the backend, which no caller uses.
    openQueue: (name) => new Queue(name, { connection }) as unknown as BullmqQueue,
    openWorker: (name, work, settings) => ({
      worker: new Worker(name, work as never, {
        ...settings,
        connection,
      }) as unknown as BullmqWorker,
      letGo: async () => {}, // every query has a deadline
    }),
    // A limit by count would scan all kept jobs at every completion. Failures also stay in the outbox.
    retention: { removeOnComplete: { age: 3_600 }, removeOnFail: false },
    ...createPostgresFailures(failures),
    ping: async () => {
      await health.query("select 1");
    },
    now: async () => {
      const { rows } = await health.query<{ now: Date }>("select now()");
      return rows[0]?.now.getTime() ?? 0;
    },
    close: async () => {
      await Promise.all([health.end(), failures.end()]);
    },
  };
};
