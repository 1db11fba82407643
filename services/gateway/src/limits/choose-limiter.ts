import type { Logger, RedisClient } from "@latchkey/service-kit";
import type { Kysely } from "kysely";
import type { GatewayConfig } from "../config.ts";
import { createDatabaseLimiter } from "./database-limiter.ts";
import { createGuardedLimiter } from "./guarded-limiter.ts";
import type { Limiter } from "./limiter.ts";
import { createMemoryLimiter } from "./memory-limiter.ts";
import { createRedisLimiter } from "./redis-limiter.ts";

const deadlineMs = 500;

export interface LimiterChoice {
  storage: GatewayConfig["rateLimit"]["storage"];
  redis: RedisClient | undefined;
  /** Builds keys in Redis. */
  keyOf: (kind: string, tag: string) => string;
  db: Kysely<unknown> | undefined;
  clock: () => number;
  logger: Logger;
}

/** Creates the limiter of the configured store. While a shared store is down, limits apply per process. */
export const chooseLimiter = (choice: LimiterChoice): Limiter => {
  const { storage, redis, keyOf, db, clock, logger } = choice;
  const memory = createMemoryLimiter({ clock });
  const guarded = (remote: Limiter) =>
    createGuardedLimiter({
      remote,
      fallback: memory,
      deadlineMs,
      clock,
      warn: (message, error) => logger.warn({ err: error }, message),
    });
  if (storage === "secondary-storage" && redis)
    return guarded(createRedisLimiter({ redis, keyOf }));
  if (storage === "database" && db) return guarded(createDatabaseLimiter({ db, clock }));
  return memory;
};
