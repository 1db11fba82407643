import { isRedisCluster, type RedisClient } from "./redis.ts";

/** Resolves if Redis responds. A cluster must also report that it serves all of its keys. */
export const pingRedis = async (redis: RedisClient): Promise<void> => {
  if (!isRedisCluster(redis)) {
    await redis.ping();
    return;
  }
  const info = await redis.cluster("INFO");
  if (!info.includes("cluster_state:ok")) throw new Error("CLUSTERDOWN not every key is served");
};
