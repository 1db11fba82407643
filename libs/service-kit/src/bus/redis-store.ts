import { readRedisCluster } from "@latchkey/contracts";
import { Queue, Worker } from "bullmq";
import { Redis } from "ioredis";
import { connectRedisCluster } from "../database/redis-cluster.ts";
import type { RedisClient } from "../database/redis.ts";
import type { Logger } from "../observe/logger.ts";
import type { BullmqStore, JobData } from "./bullmq-store.ts";
import type { FailedMessage, FailedRange } from "./bus.ts";

type Place = NonNullable<FailedRange["after"]>;

/** `KEYS`: failed, completed, job. `ARGV`: id, time in ms. Leaves the same fields as BullMQ does for a completed job. */
const completeScript = `
if redis.call("ZREM", KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call("HDEL", KEYS[3], "failedReason")
redis.call("HSET", KEYS[3], "data", "{}", "finishedOn", ARGV[2])
redis.call("ZADD", KEYS[2], ARGV[2], ARGV[1])
return 1`;

const isBefore = (a: string, b: string): boolean =>
  Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;

/**
 * Returns ids of failed jobs with their times, the latest first. The sorted set orders by time and then by the bytes of the id,
 * so entries with the exact time of `after` are filtered by id.
 */
const listPlaces = async (
  redis: RedisClient,
  key: string,
  { limit, after }: FailedRange,
): Promise<Place[]> => {
  const places: Place[] = [];
  const max = after ? after.failedAt.getTime() : "+inf";
  const isAfter = ({ failedAt, id }: Place) =>
    !after || failedAt < after.failedAt || isBefore(id, after.id);
  for (let offset = 0; places.length < limit; offset += limit) {
    const part = await redis.zrevrangebyscore(
      key,
      max,
      "-inf",
      "WITHSCORES",
      "LIMIT",
      offset,
      limit,
    );
    for (let index = 0; index < part.length; index += 2) {
      const place = { id: part[index] ?? "", failedAt: new Date(Number(part[index + 1])) };
      if (isAfter(place)) places.push(place);
    }
    if (part.length < 2 * limit) break;
  }
  return places.slice(0, limit);
};

const readMessage = async (
  redis: RedisClient,
  key: string,
  { id, failedAt }: Place,
): Promise<FailedMessage> => {
  const [name, reason, attempts] = await redis.hmget(key, "name", "failedReason", "atm");
  return { id, failedAt, name: name ?? "", reason: reason ?? "", attempts: Number(attempts ?? 0) };
};

/** Operator access to the jobs of BullMQ on Redis. */
const createRedisReads = (
  redis: RedisClient,
  prefix: string,
): Pick<BullmqStore, "completeFailed" | "listFailed" | "readPace"> => {
  const keyOf = (queue: string, part: string) => `${prefix}:${queue}:${part}`;
  return {
    listFailed: async (queue, range) => {
      const places = await listPlaces(redis, keyOf(queue, "failed"), range);
      return Promise.all(places.map((place) => readMessage(redis, keyOf(queue, place.id), place)));
    },
    completeFailed: async (queue, id) => {
      const keys = ["failed", "completed", id].map((part) => keyOf(queue, part));
      return (await redis.eval(completeScript, keys.length, ...keys, id, Date.now())) === 1;
    },
    readPace: async (queue, { minute, fiveMinutes }) => {
      const completed = keyOf(queue, "completed");
      // Jobs enter the list at its head and leave it at its tail.
      const [handledLastMinute, handledLastFiveMinutes, next] = await Promise.all([
        redis.zcount(completed, minute, "+inf"),
        redis.zcount(completed, fiveMinutes, "+inf"),
        redis.lindex(keyOf(queue, "wait"), -1),
      ]);
      const times = next ? await redis.hmget(keyOf(queue, next), "timestamp", "processedOn") : [];
      const at = Math.max(...times.map(Number));
      const oldestWaitingAt = at > 0 ? new Date(at) : undefined; // it may have left meanwhile
      return { handledLastMinute, handledLastFiveMinutes, oldestWaitingAt };
    },
  };
};

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
    const destroy = () => {
      leaving = true;
      const { client, blockingClient } = worker.getBackend();
      for (const opened of [client, blockingClient])
        void Promise.resolve(opened).then(
          (one) => one?.disconnect(),
          () => {},
        );
      if ("disconnect" in connection) connection.disconnect();
    };
    return { worker, letGo, destroy };
  };
  return {
    openQueue: (name) => new Queue(name, { connection: producer, prefix }),
    openWorker,
    retention: {
      removeOnComplete: { age: 3_600, count: 10_000 },
      removeOnFail: { count: 100_000 },
    },
    ...createRedisReads(producer, prefix),
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
