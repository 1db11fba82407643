import type { RedisClient } from "../database/redis.ts";
import type { BullmqStore } from "./bullmq-store.ts";
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
  const found: Place[] = [];
  const max = after ? after.failedAt.getTime() : "+inf";
  const isAfter = ({ failedAt, id }: Place) =>
    !after || failedAt < after.failedAt || isBefore(id, after.id);
  for (let offset = 0; found.length < limit; offset += limit) {
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
      if (isAfter(place)) found.push(place);
    }
    if (part.length < 2 * limit) break;
  }
  return found.slice(0, limit);
};

const readMessage = async (
  redis: RedisClient,
  key: string,
  { id, failedAt }: Place,
): Promise<FailedMessage> => {
  const [name, reason, attempts] = await redis.hmget(key, "name", "failedReason", "atm");
  return { id, failedAt, name: name ?? "", reason: reason ?? "", attempts: Number(attempts ?? 0) };
};

/** Operator access to the failed jobs of BullMQ on Redis. */
export const createRedisFailures = (
  redis: RedisClient,
  prefix: string,
): Pick<BullmqStore, "completeFailed" | "listFailed"> => {
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
  };
};
