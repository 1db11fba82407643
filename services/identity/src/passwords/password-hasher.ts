import {
  type HashPool,
  HashPoolFullError,
  createHashPool,
  hashPassword,
  isPasswordUpgrade,
  upgradePasswordHash,
  verifyPassword,
  isPasswordHash,
} from "@latchkey/crypto";
import {
  type Metrics,
  registerCounter,
  registerGauge,
  registerHistogram,
  type Tracing,
} from "@latchkey/service-kit/observe";
import { availableParallelism } from "node:os";
import type { IdentityConfig } from "../config.ts";

/** Receives the measurements of a pool. */
interface PoolObservers {
  metrics: Metrics;
  /** Undefined if traces are off. */
  tracing: Tracing | undefined;
}

/** Adds metrics for a pool's depth, waits, durations and refusals, and traces for both times. */
const observeHashPool = (pool: HashPool, { metrics, tracing }: PoolObservers): HashPool => {
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

export interface PasswordHasher {
  /** Returns the text to store for a password. */
  hash(password: string): Promise<string>;
  /**
   * Returns whether a password is right. Without a stored hash it does the same work and returns false, so that the time
   * reveals nothing.
   */
  verify(stored: string | null | undefined, password: string): Promise<boolean>;
  /**
   * Returns another hash of a verified password if the stored one differs in form or parameters from new ones. Returns
   * undefined if it does not, and while other hashes wait: the next sign-in tries again. Concurrent calls return the same.
   */
  upgrade(stored: string, password: string): Promise<string | undefined>;
  /** Returns whether a hash is the upgrade of a stored one, and therefore of the same password. */
  isUpgrade(hash: string, stored: string): boolean;
}

/** Longer passwords are rejected, because normalising a megabyte would block the event loop. In UTF-16 units. */
const passwordLengthMax = 4_096;

/** Node's default number of threads for scrypt. */
const threadsOfNode = 4;

/** Creates the hasher: the built-in scrypt or the functions of the options, in a bounded pool either way. */
export const createPasswordHasher = (
  options: IdentityConfig["emailAndPassword"]["password"],
  observers?: PoolObservers,
): PasswordHasher => {
  const concurrency = options.concurrency ?? Math.min(availableParallelism(), threadsOfNode);
  const bare = createHashPool({ concurrency, queueMax: options.queueMax });
  const pool = observers ? observeHashPool(bare, observers) : bare;
  const { form, hash: ownHash, verify: ownVerify } = options;
  const hash = (password: string) =>
    ownHash ? pool.run(() => ownHash(password)) : hashPassword(pool, password, form);
  return {
    hash,
    verify: async (stored, password) => {
      if (!stored || password.length > passwordLengthMax) {
        await hash(password.slice(0, passwordLengthMax));
        return false;
      }
      return ownVerify && (ownHash || !isPasswordHash(stored))
        ? pool.run(() => ownVerify({ hash: stored, password }))
        : verifyPassword(pool, stored, password);
    },
    upgrade: async (stored, password) =>
      ownHash || pool.stats().waiting > 0
        ? undefined
        : upgradePasswordHash(pool, password, { stored, form }),
    isUpgrade: isPasswordUpgrade,
  };
};
