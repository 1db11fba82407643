import { setTimeout as delay } from "node:timers/promises";
import type { Deps } from "../deps.ts";
import { type Outcome, settleAttempts } from "./outcomes/queries.ts";

/** Records outcomes in batches. */
export interface OutcomeWriter {
  /** Resolves once the outcome is recorded, or dropped because the lease has ended. */
  write(outcome: Outcome): Promise<void>;
}

interface Waiting {
  outcome: Outcome;
  dropAt: number;
  done: () => void;
}

const batchMax = 100;
const restMilliseconds = 1_000;

/**
 * Creates the writer. Outcomes that arrive during a write are recorded by the next one. While the database is unavailable, it tries again
 * until the lease of an outcome has ended. The delivery is then sent again, with the same id.
 */
export const createOutcomeWriter = (
  { db, logger }: Pick<Deps, "db" | "logger">,
  { keptMilliseconds }: { keptMilliseconds: number },
): OutcomeWriter => {
  const waiting: Waiting[] = [];
  let isWriting = false;
  const writeAll = async () => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchMax);
      try {
        await settleAttempts(
          db,
          batch.map(({ outcome }) => outcome),
        );
        waiting.splice(0, batch.length);
        for (const { done } of batch) done();
      } catch (error) {
        logger.warn({ err: error }, "failed to record webhook attempts, will retry");
        const now = performance.now();
        for (const late of waiting.filter(({ dropAt }) => dropAt <= now)) late.done();
        waiting.splice(0, waiting.length, ...waiting.filter(({ dropAt }) => dropAt > now));
        await delay(restMilliseconds);
      }
    }
    isWriting = false;
  };
  return {
    write: (outcome) =>
      new Promise((done) => {
        waiting.push({ outcome, done, dropAt: performance.now() + keptMilliseconds });
        if (isWriting) return;
        isWriting = true;
        void writeAll();
      }),
  };
};
