import { isRedisCluster, type RedisClient } from "@latchkey/service-kit";
import type { Redis } from "ioredis";
import { createClusterGeneration } from "./redis-cluster-generation.ts";
import { unknownGeneration } from "./unknown-generation.ts";

/**
 * A name for the life of the Redis that answers, which another one or a restarted one does not have. Keys that carry it lose
 * what a snapshot or a lagging replica brings back, so that no session revoked since is revived. While it is not known asking
 * throws, as any command would: under a name that others do not use, a revocation would seem to succeed and reach nobody.
 */
export type RedisGeneration = () => string;

/** The `run_id` of the server that answers. */
const createServerGeneration = (redis: Redis): RedisGeneration => {
  let generation: string | undefined;
  const learn = async () => {
    const info = await redis.info("server");
    generation = /^run_id:(\w+)/m.exec(info)?.[1];
  };
  const onReady = () => {
    learn().catch(() => {}); // the connection is lost again, and the next one is asked
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
