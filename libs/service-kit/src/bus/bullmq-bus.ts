import { runMigrations } from "bullmq";
import pg from "pg";
import type { Logger } from "../observe/logger.ts";
import type { BullmqQueue } from "./bullmq-store.ts";
import type { Bus, BusMessage, Consumer, MessageState } from "./bus.ts";
import { consumeQueue } from "./consume-queue.ts";
import { createPostgresStore, type PostgresStoreOptions } from "./postgres-store.ts";
import { createRedisStore, type RedisStoreOptions } from "./redis-store.ts";
import { type Backoff, retryDelay } from "./retry-delay.ts";
import { withDeadline } from "./with-deadline.ts";

export interface BullmqBusOptions {
  backend: ({ kind: "redis" } & RedisStoreOptions) | ({ kind: "postgres" } & PostgresStoreOptions);
  logger: Logger;
  /** Attempts of a message published here; a consumer may allow fewer. */
  attemptsMax?: number;
  backoff?: Backoff;
  /** How long a job stays with a worker that has gone silent; it runs again after at most this and two stall checks. */
  lockMilliseconds?: number;
  stalledMilliseconds?: number;
  /** The deadline of `publish`, `states`, `counts` and `ping`. */
  commandMilliseconds?: number;
}

const schema = "bus";
/** A process that is killed again and again is no reason to give a message up. */
const maxStalledCount = 1_000;
const runRetryMilliseconds = 1_000;

const stateOf = (state: string): MessageState => {
  if (state === "completed") return "done";
  if (state === "failed") return "failed";
  return state === "unknown" ? "missing" : "pending";
};

/** A bus of BullMQ queues, on Redis or on Postgres; both keep the same promises. */
export const createBullmqBus = (options: BullmqBusOptions): Bus => {
  const { backend, logger } = options;
  const { attemptsMax = 20, backoff = { baseMilliseconds: 1_000, maxMilliseconds: 900_000 } } =
    options;
  const {
    lockMilliseconds = 15_000,
    stalledMilliseconds = 5_000,
    commandMilliseconds = 5_000,
  } = options;
  const store =
    backend.kind === "redis"
      ? createRedisStore(backend, logger)
      : createPostgresStore(backend, logger);
  const queues = keepReady(store.openQueue, logger);
  const consumers = new Set<Consumer>();
  const inTime = <T>(what: string, work: () => Promise<T>) =>
    withDeadline(work(), commandMilliseconds, what);

  const jobOptions = {
    attempts: attemptsMax,
    backoff: { type: "custom" },
    stackTraceLimit: 0,
    ...store.retention,
  };
  const toJob = ({ id, name, data }: BusMessage) => ({
    name,
    data: { payload: data },
    opts: { ...jobOptions, jobId: id },
  });
  const workerSettings = {
    lockDuration: lockMilliseconds,
    stalledInterval: stalledMilliseconds,
    maxStalledCount,
    runRetryDelay: runRetryMilliseconds,
    autorun: false as const,
    settings: { backoffStrategy: (failures: number) => retryDelay(failures, backoff, Math.random) },
  };

  let closed: Promise<void> | undefined;
  const close = async () => {
    await Promise.all([...consumers].map((consumer) => consumer.stop()));
    await queues.close();
    await store.close();
  };
  return {
    publish: (queue, messages) =>
      inTime(`Publishing to ${queue}`, async () => {
        if (messages.length > 0) await (await queues.get(queue)).addBulk(messages.map(toJob));
      }),
    states: (queue, ids) =>
      inTime(`Reading states of ${queue}`, async () => {
        const opened = await queues.get(queue);
        const states = ids.map(async (id) => [id, stateOf(await opened.getJobState(id))] as const);
        return new Map(await Promise.all(states));
      }),
    consume: (queue, handler, { concurrency, attemptsMax: attempts }) => {
      const settings = { ...workerSettings, concurrency };
      const consumer = consumeQueue({
        store,
        queue,
        handler,
        attemptsMax: attempts,
        settings,
        logger,
      });
      consumers.add(consumer);
      return { stop: () => consumer.stop().finally(() => consumers.delete(consumer)) };
    },
    counts: (queue) =>
      inTime(`Counting ${queue}`, async () =>
        (await queues.get(queue)).getJobCounts("waiting", "active", "delayed", "failed"),
      ),
    ping: () => inTime("The bus's answer", () => store.ping()),
    close: () => (closed ??= close()),
  };
};

/** Queues by name, opened at first use. One that could not connect keeps that failure for ever, so it is let go. */
const keepReady = (open: (name: string) => BullmqQueue, logger: Logger) => {
  const queues = new Map<string, { queue: BullmqQueue; ready: Promise<BullmqQueue> }>();
  const add = (name: string) => {
    const queue = open(name);
    queue.on("error", (error) => logger.warn({ err: error, queue: name }, "bus queue"));
    const ready = queue.waitUntilReady().then(
      () => queue,
      async (error: unknown) => {
        queues.delete(name);
        await queue.close().catch(() => {});
        throw error;
      },
    );
    const entry = { queue, ready };
    queues.set(name, entry);
    return entry;
  };
  return {
    get: (name: string) => (queues.get(name) ?? add(name)).ready,
    close: async () => {
      await Promise.allSettled([...queues.values()].map(({ queue }) => queue.close()));
    },
  };
};

/** Brings the schema `bus` of the Postgres store up to date; safe when several processes do it at once. */
export const migrateBus = async (url: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {}); // the pending query rejects with the same error
  await client.connect();
  try {
    await runMigrations(client, schema);
  } finally {
    await client.end();
  }
};
