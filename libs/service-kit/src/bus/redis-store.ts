import { Queue, Worker } from "bullmq";
import { Redis } from "ioredis";
import type { Logger } from "../observe/logger.ts";
import type { BullmqStore, JobData } from "./bullmq-store.ts";
import { createRedisFailures } from "./redis-failures.ts";

export interface RedisStoreOptions {
  url: string;
  /** Becomes the hash tag of every key, so that a queue's keys lie on one node of a cluster. */
  prefix?: string;
}

const commandMilliseconds = 5_000;
const retryStrategy = (attempt: number) => Math.min(attempt * 50, 1_000);

/**
 * BullMQ on Redis. One connection publishes for all queues and fails at once when it is down; each worker has two of
 * its own, which wait for the store.
 */
export const createRedisStore = (options: RedisStoreOptions, logger: Logger): BullmqStore => {
  const prefix = `{${options.prefix ?? "latchkey"}}`;
  const producer = new Redis(options.url, {
    enableOfflineQueue: false,
    commandTimeout: commandMilliseconds,
    connectTimeout: commandMilliseconds,
    maxRetriesPerRequest: 1,
    retryStrategy,
  });
  producer.on("error", (error) => logger.warn({ err: error }, "bus connection to Redis"));
  const openWorker: BullmqStore["openWorker"] = (name, work, settings) => {
    let leaving = false;
    const connection = {
      url: options.url,
      maxRetriesPerRequest: null,
      retryStrategy: (attempt: number) => (leaving ? null : retryStrategy(attempt)),
    };
    const worker = new Worker<JobData, void>(name, work, { ...settings, connection, prefix });
    const letGo = async () => {
      leaving = true;
      const backend = worker.getBackend();
      const clients = await Promise.all([backend.client, backend.blockingClient]);
      await Promise.all(clients.map(isSettled));
    };
    return { worker, letGo };
  };
  return {
    openQueue: (name) => new Queue(name, { connection: producer, prefix }),
    openWorker,
    retention: {
      removeOnComplete: { age: 3_600, count: 10_000 },
      removeOnFail: { count: 100_000 },
    },
    ...createRedisFailures(producer, prefix),
    ping: async () => {
      await producer.ping();
    },
    close: async () => producer.disconnect(),
  };
};

interface Client {
  status: string;
  once(event: "ready" | "end", listener: () => void): unknown;
}

/** A client told to disconnect between two attempts to connect never ends, and what waits in it never settles. */
const isSettled = async (client: Client | undefined): Promise<void> => {
  if (!client || client.status === "ready" || client.status === "end") return;
  await new Promise<void>((resolve) => {
    client.once("ready", resolve);
    client.once("end", resolve);
  });
};
