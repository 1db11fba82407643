import type { Redis } from "ioredis";

/**
 * A name for the life of the Redis server that answers: its `run_id`, which another server or a restarted one does not
 * have. Keys that carry it lose what a snapshot or a lagging replica brings back, so that no session revoked since is
 * revived. While the server is not known asking throws, as any command would: under a name that others do not use, a
 * revocation would seem to succeed and reach nobody.
 */
export const createRedisGeneration = (redis: Redis): (() => string) => {
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
    if (generation === undefined)
      throw Object.assign(new Error("the Redis server is not known yet"), { code: "ECONNREFUSED" });
    return generation;
  };
};
