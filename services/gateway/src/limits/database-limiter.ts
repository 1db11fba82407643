import type { Limiter } from "./limiter.ts";
import { consumeRateLimit, deleteExpiredRateLimits, deleteRateLimits } from "./queries.ts";
import type { RateLimitDatabase } from "./queries.ts";
import { refusal } from "./refusal.ts";

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
