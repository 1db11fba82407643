import { Redis } from "ioredis";
import type { Logger } from "../observe/logger.ts";

const commandMilliseconds = 2_000;

/**
 * A Redis connection that fails fast: a command that cannot be sent or answered within its deadline rejects, and a lost
 * connection never ends the process. It reconnects by itself.
 */
export const createRedis = (url: string, logger: Logger): Redis => {
  const redis = new Redis(url, {
    commandTimeout: commandMilliseconds,
    connectTimeout: commandMilliseconds,
    maxRetriesPerRequest: 1,
    enableAutoPipelining: true,
    retryStrategy: (attempt) => Math.min(attempt * 50, 1_000),
  });
  redis.on("error", (error) => logger.warn({ err: error }, "Redis connection"));
  return redis;
};
