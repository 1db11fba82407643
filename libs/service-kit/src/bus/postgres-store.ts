import {
  type BackendFactory,
  type PostgresConnectionOptions,
  type PostgresQueueBackend,
  withBackend,
} from "bullmq";
import type { Logger } from "../observe/logger.ts";
import type { BullmqQueue, BullmqStore, BullmqWorker } from "./bullmq-store.ts";
import { PostgresBusConnection } from "./postgres-bus-connection.ts";
import { createPostgresFailures } from "./postgres-failures.ts";
import { RestingBackend } from "./resting-backend.ts";
import { SmallBatchBackend } from "./small-batch-backend.ts";

export interface PostgresStoreOptions {
  /** Address of a server that supports LISTEN, so not of a transaction pooler. */
  url: string;
  schema: "bus";
}

/**
 * BullMQ on Postgres. All workers share a pool with the health check. All queues share another one with operators, whose many or
 * slow queries must not delay the locks of workers.
 */
export const createPostgresStore = (options: PostgresStoreOptions, logger: Logger): BullmqStore => {
  const connect = () => new PostgresBusConnection(options.url, options.schema, logger);
  const ofWorkers = connect();
  const ofQueues = connect();
  type Factory = BackendFactory<PostgresQueueBackend, PostgresConnectionOptions>;
  const producing: Factory = (name, settings) =>
    new SmallBatchBackend(ofQueues, name, settings, false);
  const working: Factory = (name, settings) => new RestingBackend(ofWorkers, name, settings);
  const { Queue } = withBackend(producing);
  const { Worker } = withBackend(working);
  const connection = options.url; // required by the type; the factories share two
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
    ...createPostgresFailures(ofQueues.pool),
    ping: async () => {
      await ofWorkers.pool.query("select 1");
    },
    now: async () => {
      const { rows } = await ofWorkers.pool.query<{ now: Date }>("select now()");
      return rows[0]?.now.getTime() ?? 0;
    },
    close: async () => {
      await Promise.all([ofWorkers.close(), ofQueues.close()]);
    },
  };
};
