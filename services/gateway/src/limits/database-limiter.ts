import type { Limiter } from "./limiter.ts";
import { consumeRateLimit, deleteExpiredRateLimits } from "./queries.ts";
import type { RateLimitDatabase } from "./queries.ts";
import { refusal } from "./refusal.ts";

const sweepEveryMs = 60_000;

/**
 * A limiter that all replicas share through the table `gateway.rate_limit`; one statement a decision. Once a minute a request
 * also starts the deletion of windows that are over, without waiting for it. Rejects when the database does: wrap it in
 * `createGuardedLimiter`. `clock` times the deletions only.
 */
export function createDatabaseLimiter(deps: {
  readonly db: RateLimitDatabase;
  readonly clock: () => number;
}): Limiter {
  const { db, clock } = deps;
  let nextSweepAt = clock() + sweepEveryMs;

  const sweepNowAndThen = (): void => {
    const now = clock();
    if (now < nextSweepAt) return;
    nextSweepAt = now + sweepEveryMs;
    deleteExpiredRateLimits(db).catch(() => {
      // Rows that stay count for nobody, and the next sweep takes them.
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
  };
}
