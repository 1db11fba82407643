import { isRedisCluster, type RedisClient } from "@latchkey/service-kit";
import type { Redis } from "ioredis";
import { createClusterGeneration } from "./redis-cluster-generation.ts";
import { unknownGeneration } from "./unknown-generation.ts";

/**
 * Returns a name for the current run of Redis, which another server or a restarted one does not have. Keys contain it, so
 * entries from a snapshot or a lagging replica are not found and no revoked session is revived.
 *
 * Throws while the name is unknown, as any command would. Under a stale name, a revocation would seem to succeed and have
 * no effect.
 */
export type RedisGeneration = () => string;

/** Returns the `run_id` of the connected server. */
const createServerGeneration = (redis: Redis): RedisGeneration => {
  let generation: string | undefined;
  const learn = async () => {
    const info = await redis.info("server");
    generation = /^run_id:(\w+)/m.exec(info)?.[1];
  };
  const onReady = () => {
    learn().catch(() => {}); // the connection was lost again; the next one repeats the query
  };
  redis.on("ready", onReady);
  redis.on("close", () => {
    generation = undefined;
  });
  if (redis.status === "ready") onReady();
  return () => {
    if (generation === undefined) throw unknownGeneration();
    return generation;
  };
};

export const createRedisGeneration = (redis: RedisClient): RedisGeneration =>
  isRedisCluster(redis)
    ? createClusterGeneration(redis, () => performance.now())
    : createServerGeneration(redis);
