import {
  assertSchemaCompatibility,
  LATEST_SCHEMA_VERSION,
  runMigrations,
  SchemaMigrationRequiredError,
} from "bullmq";
import pg from "pg";
import type { Logger } from "../observe/logger.ts";
import type { BullmqStore, BullmqQueue, PaceFrom } from "./bullmq-store.ts";
import type { Bus, BusMessage, Consumer, FailedMessage, MessageState } from "./bus.ts";
import { consumeQueue } from "./consume-queue.ts";
import { createQueues, listNewQueues } from "./postgres-queues.ts";
import { createPostgresStore, type PostgresStoreOptions } from "./postgres-store.ts";
import { createRedisStore, type RedisStoreOptions } from "./redis-store.ts";
import { retryFailedJob } from "./retry-failed-job.ts";
import { withDeadline } from "../bounds/with-deadline.ts";

/** Opens queues by name at first use. A queue never recovers from a failed first connection, so it is then dropped. */
const keepReady = (open: (name: string) => BullmqQueue, logger: Logger) => {
  const queues = new Map<string, { queue: BullmqQueue; ready: Promise<BullmqQueue> }>();
  const add = (name: string) => {
    const queue = open(name);
    queue.on("error", (error) => logger.warn({ err: error, queue: name }, "bus queue error"));
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

/** Delay after the first failure, and the maximum delay, in milliseconds. */
interface Backoff {
  baseMilliseconds: number;
  maxMilliseconds: number;
}

export interface BullmqBusOptions {
  backend: ({ kind: "redis" } & RedisStoreOptions) | ({ kind: "postgres" } & PostgresStoreOptions);
  logger: Logger;
  /** Attempts of a message published here; a consumer may allow fewer. */
  attemptsMax: number;
  backoff?: Backoff;
  /** Lock of a job whose worker is silent. The job runs again after at most this time and two stall checks. */
  lockMilliseconds?: number;
  stalledMilliseconds?: number;
  /** Interval of the looks for messages that a process with a fast clock has delayed, and for a consumer that is lost. */
  lookMilliseconds?: number;
  /** Deadline of every call except `consume` and `close`. */
  commandMilliseconds?: number;
}

const schema = "bus";
/** High, because repeated kills of a process are no reason to give up a message. */
const maxStalledCount = 1_000;
const runRetryMilliseconds = 1_000;
const reasonLengthMax = 500;

const stateOf = (state: string): MessageState => {
  if (state === "completed") return "done";
  if (state === "failed") return "failed";
  return state === "unknown" ? "missing" : "pending";
};

const shorten = ({ id, name, failedAt, attempts, reason }: FailedMessage): FailedMessage => ({
  id,
  name,
  failedAt,
  attempts,
  reason: reason.slice(0, reasonLengthMax),
});

/**
 * Returns the delay after the n-th failure (from 1). It doubles up to the maximum, minus up to half at random, so that messages
 * that failed together do not retry together.
 */
export const retryDelay = (failures: number, backoff: Backoff, random: () => number): number => {
  const full = Math.min(backoff.baseMilliseconds * 2 ** (failures - 1), backoff.maxMilliseconds);
  return Math.max(1, Math.round(full * (1 - random() / 2)));
};

const lately = (now: number): PaceFrom => ({ minute: now - 60_000, fiveMinutes: now - 300_000 });

/** Creates a bus of BullMQ queues, on Redis or Postgres, with the same guarantees on both. */
export const createBullmqBus = (options: BullmqBusOptions): Bus => {
  const { backend, logger, commandMilliseconds = 5_000, lookMilliseconds = 15_000 } = options;
  const store =
    backend.kind === "redis"
      ? createRedisStore(backend, logger)
      : createPostgresStore(backend, logger);
  const queues = keepReady(store.openQueue, logger);
  const consumers = new Set<Consumer>();
  const toJob = jobMaker(options, store);
  const settings = workerSettings(options);
  const inTime = <T>(what: string, work: () => Promise<T>) =>
    withDeadline(work(), commandMilliseconds, what);
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
    consume: (queue, handler, { concurrency, attemptsMax }) => {
      const openQueue = () => queues.get(queue);
      const input = { store, queue, openQueue, handler, attemptsMax, lookMilliseconds, logger };
      const consumer = consumeQueue({ ...input, settings: { ...settings, concurrency } });
      consumers.add(consumer);
      return { ...consumer, stop: () => consumer.stop().finally(() => consumers.delete(consumer)) };
    },
    counts: (queue) =>
      inTime(`Counting ${queue}`, async () =>
        (await queues.get(queue)).getJobCounts("waiting", "active", "delayed", "failed"),
      ),
    pace: (queue) =>
      inTime(`Reading the pace of ${queue}`, async () => {
        await queues.get(queue); // the store is connected then
        return store.readPace(queue, lately(Date.now()));
      }),
    failed: (queue, range) =>
      inTime(`Listing the failures of ${queue}`, async () => {
        const messages = await store.listFailed(queue, range);
        return messages.map(shorten);
      }),
    retry: (queue, id) =>
      inTime(`Retrying a message of ${queue}`, async () =>
        retryFailedJob(await queues.get(queue), id),
      ),
    discard: (queue, id) =>
      inTime(`Discarding a message of ${queue}`, () => store.completeFailed(queue, id)),
    ping: () => inTime("The bus's answer", () => store.ping()),
    close: () => (closed ??= close()),
  };
};

const jobMaker = ({ attemptsMax }: BullmqBusOptions, { retention }: BullmqStore) => {
  // Stacks go to the log only. The job keeps just the error's message.
  const common = {
    attempts: attemptsMax,
    backoff: { type: "custom" },
    stackTraceLimit: 0,
    ...retention,
  };
  return ({ id, name, data }: BusMessage) => ({
    name,
    data: { payload: data },
    opts: { ...common, jobId: id },
  });
};

const workerSettings = (options: BullmqBusOptions) => {
  const { lockMilliseconds = 15_000, stalledMilliseconds = 5_000 } = options;
  const { backoff = { baseMilliseconds: 1_000, maxMilliseconds: 900_000 } } = options;
  return {
    lockDuration: lockMilliseconds,
    stalledInterval: stalledMilliseconds,
    maxStalledCount,
    runRetryDelay: runRetryMilliseconds,
    autorun: false as const,
    settings: { backoffStrategy: (failures: number) => retryDelay(failures, backoff, Math.random) },
  };
};

const withClient = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {}); // the pending query rejects with the same error
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

/** Migrates the schema `bus` of the Postgres store and creates its queues. Safe to run in several processes at once. */
export const migrateBus = async (url: string, queues: readonly string[] = []): Promise<void> => {
  await withClient(url, async (client) => {
    await runMigrations(client, schema);
    await createQueues(client, queues);
  });
};

/** Returns the versions and queues that the schema `bus` lacks. Changes nothing. */
export const pendingBusMigrations = async (
  url: string,
  queues: readonly string[] = [],
): Promise<string[]> => {
  const [installedVersion, missing] = await withClient(url, async (client) => {
    const version = await assertSchemaCompatibility(client, schema).catch((error: unknown) => {
      if (error instanceof SchemaMigrationRequiredError) return 0;
      throw error;
    });
    return [version, version > 0 ? await listNewQueues(client, queues) : []] as const;
  });
  const versions = Array.from(
    { length: Math.max(0, LATEST_SCHEMA_VERSION - installedVersion) },
    (_, index) => `version ${installedVersion + index + 1}`,
  );
  return [...versions, ...missing.map((name) => `queue ${name}`)];
};
