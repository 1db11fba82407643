import { setTimeout as delay } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import type { Logger } from "../observe/logger.ts";
import { isDeadlock, isLockTimeout } from "./constraint-errors.ts";

/** How long a change of the shape waits for what others hold. */
export interface Patience {
  /** For a lock, at a time: who comes meanwhile has to wait behind it, readers included. */
  lockMilliseconds: number;
  /** Before it tries again, while others go on. */
  restMilliseconds: number;
  attemptsMax: number;
}

/** Some three minutes in all. */
const ordinary: Patience = { lockMilliseconds: 1_000, restMilliseconds: 2_000, attemptsMax: 60 };

export interface PatientOptions {
  /** Told of each time that it was in vain. */
  logger?: Logger | undefined;
  patience?: Patience | undefined;
}

/** Has this transaction give up a lock that it does not get soon. */
export const limitLockWaits = async (
  trx: Kysely<any>,
  { lockMilliseconds }: Patience = ordinary,
): Promise<void> => {
  await sql`select set_config('lock_timeout', ${`${lockMilliseconds}ms`}, true)`.execute(trx);
};

/**
 * Does `work` again for as long as it fails for a lock that others hold. Waiting in the queue instead would stop everybody: one
 * backup that reads a table holds up the change of its shape, and that holds up all who come after.
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
      logger?.warn({ attempt }, "a change of the schema waits for a lock that somebody else holds");
    }
    await delay(patience.restMilliseconds);
  }
};

/** A transaction that changes the shape: waits for no lock for long, and is tried again. */
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
