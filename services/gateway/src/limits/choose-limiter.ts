import { type RedisClient, lifetimeMilliseconds } from "@latchkey/service-kit/database";
import type { Logger } from "@latchkey/service-kit/observe";
import type { Kysely } from "kysely";
import { hash, randomBytes } from "node:crypto";
import type { GatewayConfig } from "../config.ts";
import { createGuardedLimiter } from "./guarded-limiter.ts";
import type { Limiter, Decision, RateRule } from "./limiter.ts";
import {
  consumeRateLimit,
  deleteExpiredRateLimits,
  deleteRateLimits,
  type RateLimitDatabase,
} from "./queries.ts";
import { createWindowTable } from "./window-table.ts";

/** A refusal until the window ends, rounded up, so that a client which waits that long passes. */
function refusal(remainingMs: number): Decision {
  return { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil(remainingMs / 1000)) };
}

/**
 * KEYS[1] is the window, ARGV[1] its length in ms, ARGV[2] its maximum. Returns 0, or the ms that are left of the window. The key's time to
 * live is the window, so only Redis's clock decides and replicas of the gateway agree. A key that has lost its time to live starts again,
 * instead of locking its client out forever.
 */
const lua = `
local remaining = redis.call('PTTL', KEYS[1])
local max = tonumber(ARGV[2])
if remaining > 0 then
  if tonumber(redis.call('GET', KEYS[1])) >= max then return remaining end
  redis.call('INCR', KEYS[1])
  return 0
end
if max < 1 then return tonumber(ARGV[1]) end
redis.call('SET', KEYS[1], '1', 'PX', ARGV[1])
return 0
`;

interface RateLimitHit {
  latchkeyRateLimitHit(key: string, windowMs: number, max: number): Promise<number>;
}

/**
 * Creates a limiter that all replicas share, with one round trip and one script per decision. Keys never live longer than their window.
 * Rejects if Redis does: wrap it in `createGuardedLimiter`.
 */
export function createRedisLimiter(deps: {
  readonly redis: RedisClient;
  /** Builds the keys. */
  readonly keyOf: (kind: string, tag: string) => string;
}): Limiter {
  const { redis, keyOf } = deps;
  redis.defineCommand("latchkeyRateLimitHit", { numberOfKeys: 1, lua });
  const scripts = redis as typeof redis & RateLimitHit; // defineCommand has added the method.
  return {
    async hit(key, rule) {
      const windowMs = lifetimeMilliseconds(rule.windowSeconds * 1000);
      const remainingMs = await scripts.latchkeyRateLimitHit(
        keyOf("limit", key),
        windowMs,
        rule.max,
      );
      return remainingMs === 0 ? { allowed: true } : refusal(remainingMs);
    },
    async reset(keys) {
      // One key per command, because a cluster keeps the keys on several nodes.
      const deleted = await Promise.all(keys.map((key) => redis.del(keyOf("limit", key))));
      return deleted.reduce((sum, count) => sum + count, 0);
    },
  };
}

/** The number of shared windows for each rule, used while the table is full. */
const sharedWindowCount = 65_536;
const seedBytes = 16;

/**
 * Creates a bounded limiter for one process. Beyond `keyCountMax` unexpired windows (100,000 by default), a new client shares a window of
 * the
 * same rule with others, chosen by an unpredictable hash. So no count is ever lost before its window ends, however many addresses fill the
 * table. In such a flood, new clients may be refused because of others, but no client gets more than the rule allows. Needs no timer: each
 * new window makes room by dropping an expired one.
 */
export function createMemoryLimiter(deps: {
  readonly clock: () => number;
  readonly keyCountMax?: number;
}): { hit(key: string, rule: RateRule): Decision; reset(keys: readonly string[]): number } {
  const { clock, keyCountMax = 100_000 } = deps;
  const own = createWindowTable();
  const shared = createWindowTable();
  const seed = randomBytes(seedBytes).toString("hex");

  const sharedKeyOf = (key: string, { windowSeconds, max }: RateRule): string => {
    const digest = hash("sha256", seed + key, "buffer");
    return `${windowSeconds} ${max} ${digest.readUInt32BE() % sharedWindowCount}`;
  };
  const find = (key: string, rule: RateRule, now: number) =>
    own.find(key, now) ??
    // A client that shares a window continues to do so until it ends, even if the table has room again.
    (shared.size() === 0 ? undefined : shared.find(sharedKeyOf(key, rule), now));
  const start = (key: string, { windowSeconds }: RateRule, now: number): boolean => {
    own.dropOneOver(windowSeconds, now, keyCountMax);
    if (!own.has(key) && own.size() >= keyCountMax) return false;
    own.start(key, windowSeconds, now);
    return true;
  };

  return {
    hit(key, rule) {
      const now = clock();
      const window = find(key, rule, now);
      if (window === undefined) {
        if (rule.max < 1) return refusal(rule.windowSeconds * 1000);
        shared.dropOneOver(rule.windowSeconds, now, 0);
        if (!start(key, rule, now)) shared.start(sharedKeyOf(key, rule), rule.windowSeconds, now);
        return { allowed: true };
      }
      if (window.count >= rule.max) return refusal(window.endsAt - now);
      window.count++;
      return { allowed: true };
    },
    // Shared windows stay: they also count the requests of other clients.
    reset: (keys) => keys.filter((key) => own.drop(key, clock())).length,
  };
}

const sweepEveryMs = 60_000;
const sweptTogetherMax = 1_000;

/** Repeats until none is left, because a flood of addresses leaves more windows in a minute than one statement should delete. */
const sweep = async (db: RateLimitDatabase): Promise<void> => {
  while ((await deleteExpiredRateLimits(db, sweptTogetherMax)) === sweptTogetherMax);
};

/**
 * Creates a limiter that all replicas share through the table `gateway.rate_limit`, with one statement per decision. Once a minute a
 * request
 * also starts the deletion of all expired windows, without waiting for it. Rejects if the database does: wrap it in `createGuardedLimiter`.
 * `clock` only determines when to delete.
 */
export function createDatabaseLimiter(deps: {
  readonly db: RateLimitDatabase;
  readonly clock: () => number;
}): Limiter {
  const { db, clock } = deps;
  let nextSweepAt = clock() + sweepEveryMs;
  let isSweeping = false;

  const sweepNowAndThen = (): void => {
    const now = clock();
    if (isSweeping || now < nextSweepAt) return;
    nextSweepAt = now + sweepEveryMs;
    isSweeping = true;
    sweep(db)
      .catch(() => {
        // Expired rows have no effect, and the next sweep deletes them.
      })
      .finally(() => {
        isSweeping = false;
      });
  };

  return {
    async hit(key, rule) {
      const windowMs = Math.max(1, Math.ceil(rule.windowSeconds * 1000));
      if (rule.max < 1) return refusal(windowMs);
      const refused = await consumeRateLimit(db, { key, windowMs, max: rule.max });
      sweepNowAndThen();
      if (refused === undefined) return { allowed: true };
      const remainingMs = refused.remainingMs ?? windowMs;
      return refusal(remainingMs > 0 ? remainingMs : windowMs);
    },
    reset: (keys) => deleteRateLimits(db, keys),
  };
}

const deadlineMs = 500;

export interface LimiterChoice {
  storage: GatewayConfig["rateLimit"]["storage"];
  redis: RedisClient | undefined;
  /** Builds keys in Redis. */
  keyOf: (kind: string, tag: string) => string;
  db: Kysely<unknown> | undefined;
  clock: () => number;
  logger: Logger;
  /** Multiplies the time limit of a decision of the shared store. */
  timeLimitFactor: number;
}

/** Creates the limiter of the configured store. While a shared store is down, limits apply per process. */
export const chooseLimiter = (choice: LimiterChoice): Limiter => {
  const { storage, redis, keyOf, db, clock, logger, timeLimitFactor } = choice;
  const memory = createMemoryLimiter({ clock });
  const guarded = (remote: Limiter) =>
    createGuardedLimiter({
      remote,
      fallback: memory,
      deadlineMs: deadlineMs * timeLimitFactor,
      clock,
      warn: (message, error) => logger.warn({ err: error }, message),
    });
  if (storage === "secondary-storage" && redis)
    return guarded(createRedisLimiter({ redis, keyOf }));
  if (storage === "database" && db) return guarded(createDatabaseLimiter({ db, clock }));
  return memory;
};
