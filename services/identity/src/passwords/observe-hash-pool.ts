import { type HashPool, HashPoolFullError } from "@latchkey/crypto";
import {
  type Metrics,
  registerCounter,
  registerGauge,
  registerHistogram,
  type Tracing,
} from "@latchkey/service-kit";

/** Receives the measurements of a pool. */
export interface PoolObservers {
  metrics: Metrics;
  /** Undefined if traces are off. */
  tracing: Tracing | undefined;
}

/** Adds metrics for a pool's depth, waits, durations and refusals, and traces for both times. */
export const observeHashPool = (pool: HashPool, { metrics, tracing }: PoolObservers): HashPool => {
  registerGauge(metrics, {
    name: "password_hashes",
    help: "Password hashes being computed and waiting",
    labels: ["condition"],
    read: async () =>
      Object.entries(pool.stats()).map(([condition, value]) => ({ labels: { condition }, value })),
  });
  const seconds = registerHistogram(metrics, {
    name: "password_hash_seconds",
    help: "Duration of password hashes by stage: wait and work",
    labels: ["stage"],
  });
  const refusals = registerCounter(metrics, {
    name: "password_hash_refusals_total",
    help: "Password hashes refused because the queue was full",
  });
  const work = async <T>(job: () => Promise<T>): Promise<T> => {
    const observe = seconds.startTimer({ stage: "work" });
    try {
      return await (tracing ? tracing.span("hash password", {}, job) : job());
    } finally {
      observe();
    }
  };
  const run: HashPool["run"] = async (job) => {
    const observe = seconds.startTimer({ stage: "wait" });
    const wait = tracing?.child("wait for hash", {});
    try {
      return await pool.run(() => {
        observe();
        wait?.end();
        return work(job);
      });
    } catch (error) {
      if (error instanceof HashPoolFullError) {
        refusals.inc();
        wait?.end(error);
      }
      throw error;
    }
  };
  return { run, stats: pool.stats };
};
