import { lifetimeMilliseconds, type RedisClient } from "@latchkey/service-kit";
import type { Limiter } from "./limiter.ts";
import { refusal } from "./refusal.ts";

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
