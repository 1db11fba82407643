import { WireError } from "@latchkey/contracts";
import { withDeadline } from "@latchkey/service-kit/bounds";
import type { Limiter } from "./limiter.ts";

/** The dependencies of `createGuardedLimiter`. `deadlineMs` limits each remote decision. */
export interface GuardedLimiterDeps {
  readonly remote: Limiter;
  readonly fallback: Limiter;
  readonly deadlineMs: number;
  readonly clock: () => number;
  readonly warn: (message: string, error: unknown) => void;
}

const probeEveryMs = 1000;
const warnEveryMs = 10_000;

/**
 * Uses the remote limiter while it answers in time, otherwise the fallback, so that an outage neither blocks requests nor lifts the limits:
 * they then apply per process. The fallback always counts too. So a client that has exhausted a limit does not get it again by making the
 * remote fail, for example by load. After a failure, one request per second tries the remote again, and the others do not wait for it.
 * Warns
 * at most once in ten seconds. Never rejects unless the fallback does.
 */
export function createGuardedLimiter(deps: GuardedLimiterDeps): Limiter {
  const { remote, fallback, deadlineMs, clock, warn } = deps;
  let nextProbeAt: number | undefined;
  let nextWarningAt = Number.NEGATIVE_INFINITY;

  const recordFailure = (error: unknown): void => {
    const now = clock();
    nextProbeAt = now + probeEveryMs;
    if (now < nextWarningAt) return;
    nextWarningAt = now + warnEveryMs;
    warn(
      "failed to reach the store of rate limits, limits apply per process until it recovers",
      error,
    );
  };

  return {
    async hit(key, rule) {
      if (nextProbeAt !== undefined) {
        if (clock() < nextProbeAt) return fallback.hit(key, rule);
        nextProbeAt = clock() + probeEveryMs;
      }
      const own = fallback.hit(key, rule);
      try {
        const decision = await withDeadline(
          Promise.resolve(remote.hit(key, rule)),
          deadlineMs,
          "a decision of the limiter",
        );
        nextProbeAt = undefined;
        return decision;
      } catch (error) {
        recordFailure(error);
        return own;
      }
    },
    async reset(keys) {
      try {
        const resetting = withDeadline(
          Promise.resolve(remote.reset(keys)),
          deadlineMs,
          "a reset of the limiter",
        );
        return Math.max(await resetting, await fallback.reset(keys));
      } catch (cause) {
        throw new WireError("SERVICE_UNAVAILABLE", { retryAfterSeconds: 1, cause });
      }
    },
  };
}
