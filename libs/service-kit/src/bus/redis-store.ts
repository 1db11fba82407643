import { readRedisCluster } from "@latchkey/contracts";
import { Queue, Worker } from "bullmq";
import { Redis } from "ioredis";
import { connectRedisCluster } from "../database/redis-cluster.ts";
import type { RedisClient } from "../database/redis.ts";
import type { Logger } from "../observe/logger.ts";
import type { BullmqStore, JobData } from "./bullmq-store.ts";
import { createRedisFailures } from "./redis-failures.ts";

export interface RedisStoreOptions {
  url: string;
  /** Becomes the hash tag of every key, so that a queue's keys are on one node of a cluster. */
  prefix?: string;
}

const commandMilliseconds = 5_000;
const retryStrategy = (attempt: number) => Math.min(attempt * 50, 1_000);

type Retry = (attempt: number) => number | null;

/** Rejects commands at once while Redis is down. */
const connectProducer = (url: string): RedisClient => {
  const cluster = readRedisCluster(url);
  if (cluster) return connectRedisCluster(cluster, { commandMilliseconds, retryStrategy });
  return new Redis(url, {
    enableOfflineQueue: false,
    commandTimeout: commandMilliseconds,
    connectTimeout: commandMilliseconds,
    maxRetriesPerRequest: 1,
    retryStrategy,
  });
};

/**
 * Returns the options from which a worker creates its two connections, which wait for the store. A cluster needs an open
 * client.
 */
const workerConnection = (url: string, retry: Retry) => {
  const cluster = readRedisCluster(url);
  return cluster
    ? connectRedisCluster(cluster, { retryStrategy: retry })
    : { url, maxRetriesPerRequest: null, retryStrategy: retry };
};

/** BullMQ on Redis. One connection publishes for all queues. Each worker has two connections. */
export const createRedisStore = (options: RedisStoreOptions, logger: Logger): BullmqStore => {
  const prefix = `{${options.prefix ?? "latchkey"}}`;
  const producer = connectProducer(options.url);
  producer.on("error", (error) =>
    logger.warn({ err: error }, "bus connection to Redis failed, will reconnect"),
  );
  const openWorker: BullmqStore["openWorker"] = (name, work, settings) => {
    let leaving = false;
    const connection = workerConnection(options.url, (attempt) =>
      leaving ? null : retryStrategy(attempt),
    );
    const worker = new Worker<JobData, void>(name, work, { ...settings, connection, prefix });
    // A worker does not close a connection that it was given open.
    if ("disconnect" in connection) worker.on("closed", () => connection.disconnect());
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
      await producer.exists(`${prefix}:ping`); // queries the servers that hold the queues
    },
    now: async () => {
      const [seconds] = await producer.time();
      return Number(seconds) * 1_000;
    },
    close: async () => producer.disconnect(),
  };
};

interface Client {
  status: string;
  once(event: "ready" | "end", listener: () => void): unknown;
}

/**
 * Waits until the client is connected or ended. A client that is disconnected between two connection attempts never ends, and
 * its pending commands never settle.
 */
const isSettled = async (client: Client | undefined): Promise<void> => {
  if (!client || client.status === "ready" || client.status === "end") return;
  await new Promise<void>((resolve) => {
    client.once("ready", resolve);
    client.once("end", resolve);
  });
};
