import { withDeadline } from "@latchkey/service-kit";
import type { Limiter } from "./limiter.ts";

/** What `createGuardedLimiter` needs; `deadlineMs` bounds each remote decision. */
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
 * The remote limiter while it answers in time, else the fallback, so that an outage neither stops requests nor lifts
 * the limits: they then hold per process. The fallback counts along all the while, so that who has spent a limit, and then has
 * the remote fail, by load for instance, is not given it once more. After a failure one request a second tries the remote again and the others
 * do not wait for it. Warns at most once in ten seconds. Never rejects unless the fallback does.
 */
export function createGuardedLimiter(deps: GuardedLimiterDeps): Limiter {
  const { remote, fallback, deadlineMs, clock, warn } = deps;
  let nextProbeAt: number | undefined;
  let nextWarningAt = Number.NEGATIVE_INFINITY;

  const noteFailure = (error: unknown): void => {
    const now = clock();
    nextProbeAt = now + probeEveryMs;
    if (now < nextWarningAt) return;
    nextWarningAt = now + warnEveryMs;
    warn("The store of rate limits fails; limits hold per process until it is back.", error);
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
        noteFailure(error);
        return own;
      }
    },
  };
}
