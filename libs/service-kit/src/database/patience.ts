import { setTimeout as delay } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import type { Logger } from "../observe/logger.ts";
import { isDeadlock, isLockTimeout } from "./constraint-errors.ts";

/** Limits how long a schema change waits for locks. */
export interface Patience {
  /** Wait for one lock. All later statements queue behind the waiting one, readers included. */
  lockMilliseconds: number;
  /** Pause before the next attempt, in which others proceed. */
  restMilliseconds: number;
  attemptsMax: number;
}

/** About three minutes in total. */
const ordinary: Patience = { lockMilliseconds: 1_000, restMilliseconds: 2_000, attemptsMax: 60 };

export interface PatientOptions {
  /** Receives a warning for each failed attempt. */
  logger?: Logger | undefined;
  patience?: Patience | undefined;
}

/** Sets a short lock timeout for this transaction. */
export const limitLockWaits = async (
  trx: Kysely<any>,
  { lockMilliseconds }: Patience = ordinary,
): Promise<void> => {
  await sql`select set_config('lock_timeout', ${`${lockMilliseconds}ms`}, true)`.execute(trx);
};

/**
 * Retries `work` while it fails because of locks. Waiting in the lock queue instead would block everybody: a backup that reads
 * a table blocks the schema change, which in turn blocks every later statement.
 */
export const patiently = async <T>(
  work: () => Promise<T>,
  { logger, patience = ordinary }: PatientOptions = {},
): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(isLockTimeout(error) || isDeadlock(error)) || attempt >= patience.attemptsMax)
        throw error;
      logger?.warn({ attempt }, "schema change failed to get a lock, will retry");
    }
    await delay(patience.restMilliseconds);
  }
};

/** Runs a schema change in a transaction with a short lock timeout, and retries it. */
export const inPatientTransaction = <T>(
  db: Kysely<any>,
  work: (trx: Kysely<any>) => Promise<T>,
  options: PatientOptions = {},
): Promise<T> =>
  patiently(
    () =>
      db.transaction().execute(async (trx) => {
        await limitLockWaits(trx, options.patience);
        return work(trx);
      }),
    options,
  );
