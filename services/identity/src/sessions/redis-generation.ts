import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";

/**
 * A name for the life of the Redis server that answers: its `run_id`, which another server or a restarted one does not
 * have. Keys that carry it lose what a snapshot or a lagging replica brings back, so that no session revoked since is
 * revived. While no server is known the name is one that nothing was written under.
 */
export const createRedisGeneration = (redis: Redis): (() => string) => {
  let generation: string = randomUUID();
  const learn = async () => {
    const info = await redis.info("server");
    generation = /^run_id:(\w+)/m.exec(info)?.[1] ?? generation;
  };
  const onReady = () => {
    learn().catch(() => {}); // the connection is lost again, and the next one is asked
  };
  redis.on("ready", onReady);
  redis.on("close", () => {
    generation = randomUUID();
  });
  if (redis.status === "ready") onReady();
  return () => generation;
};
