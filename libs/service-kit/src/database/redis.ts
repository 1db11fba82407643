import { readRedisCluster } from "@latchkey/contracts";
import { Cluster, Redis } from "ioredis";
import type { Logger } from "../observe/logger.ts";
import { connectRedisCluster } from "./redis-cluster.ts";

/** A server or a cluster. All keys of a command must share a hash tag, because it goes to one server. */
export type RedisClient = Cluster | Redis;

const usualMilliseconds = 2_000;
const retryStrategy = (attempt: number) => Math.min(attempt * 50, 1_000);

/** Returns whether a client belongs to a cluster, whose servers need separate queries. */
export const isRedisCluster = (redis: RedisClient): redis is Cluster => redis instanceof Cluster;

const connect = (url: string, commandMilliseconds: number): RedisClient => {
  const cluster = readRedisCluster(url);
  if (cluster) return connectRedisCluster(cluster, { commandMilliseconds, retryStrategy });
  return new Redis(url, {
    commandTimeout: commandMilliseconds,
    connectTimeout: commandMilliseconds,
    maxRetriesPerRequest: 1,
    enableAutoPipelining: true,
    retryStrategy,
  });
};

/**
 * Creates a Redis client that fails fast: a command rejects if it cannot be sent or answered within two seconds, times the factor. A lost
 * connection never ends the process, and the client reconnects by itself.
 */
export const createRedis = (url: string, logger: Logger, timeLimitFactor = 1): RedisClient => {
  const redis = connect(url, usualMilliseconds * timeLimitFactor);
  redis.on("error", (error) =>
    logger.warn({ err: error }, "Redis connection failed, will reconnect"),
  );
  if (isRedisCluster(redis))
    redis.on("node error", (error: unknown, node: unknown) =>
      logger.warn({ err: error, node }, "connection to a Redis cluster node failed"),
    );
  return redis;
};

/** Resolves if Redis responds. A cluster must also report that it serves all of its keys. */
export const pingRedis = async (redis: RedisClient): Promise<void> => {
  if (!isRedisCluster(redis)) {
    await redis.ping();
    return;
  }
  const info = await redis.cluster("INFO");
  if (!info.includes("cluster_state:ok")) throw new Error("CLUSTERDOWN not every key is served");
};
