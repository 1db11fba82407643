import { readRedisCluster } from "@latchkey/contracts";
import { Cluster, Redis } from "ioredis";
import type { Logger } from "../observe/logger.ts";
import { connectRedisCluster } from "./redis-cluster.ts";

/** A server, or a cluster of some; a command goes to one of them, so all its keys share a hash tag. */
export type RedisClient = Cluster | Redis;

const commandMilliseconds = 2_000;
const retryStrategy = (attempt: number) => Math.min(attempt * 50, 1_000);

/** Whether a client is that of a cluster, whose servers are asked one by one. */
export const isRedisCluster = (redis: RedisClient): redis is Cluster => redis instanceof Cluster;

const connect = (url: string): RedisClient => {
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
 * A connection to Redis that fails fast: a command that cannot be sent or answered within its deadline rejects, and a lost
 * connection never ends the process. It reconnects by itself.
 */
export const createRedis = (url: string, logger: Logger): RedisClient => {
  const redis = connect(url);
  redis.on("error", (error) => logger.warn({ err: error }, "Redis connection"));
  if (isRedisCluster(redis))
    redis.on("node error", (error: unknown, node: unknown) =>
      logger.warn({ err: error, node }, "connection to a server of Redis"),
    );
  return redis;
};
