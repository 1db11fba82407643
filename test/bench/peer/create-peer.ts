import { apiKey } from "@better-auth/api-key";
import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { jwt, organization } from "better-auth/plugins";
import type { Redis } from "ioredis";
import type pg from "pg";
import { benchSecret } from "../harness/stack-settings.ts";

export interface PeerStores {
  pool: pg.Pool;
  redis?: Redis;
}

/** As in the documentation of better-auth. Sessions are then only in Redis. */
const createSecondaryStorage = (redis: Redis) => ({
  get: (key: string) => redis.get(key),
  getAndDelete: (key: string) => redis.getdel(key),
  increment: async (key: string, ttl: number) => {
    const count = await redis.incr(key);
    if (count === 1) await redis.expire(key, ttl);
    return count;
  },
  set: (key: string, value: string, ttl?: number) =>
    ttl ? redis.set(key, value, "EX", ttl) : redis.set(key, value),
  delete: async (key: string) => {
    await redis.del(key);
  },
});

/**
 * Creates better-auth and its tables. It has only the plugins of the measured paths, because each costs time. Cookies have the
 * names and signatures of ours, so that both products get the same requests.
 */
export const createPeer = async ({ pool, redis }: PeerStores, baseURL: string) => {
  const options = {
    database: pool,
    baseURL,
    secret: benchSecret,
    emailAndPassword: { enabled: true },
    advanced: { cookiePrefix: "auth" },
    trustedOrigins: ["http://localhost"],
    logger: { level: "error" },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    plugins: [organization(), jwt(), apiKey()],
    ...(redis && { secondaryStorage: createSecondaryStorage(redis) }),
  } as const;
  await (await getMigrations(options as never)).runMigrations(); // its types want mutable lists
  return betterAuth(options as never);
};
