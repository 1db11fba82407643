import type { Logger } from "../observe/logger.ts";
import type { BullmqQueue, BullmqStore } from "./bullmq-store.ts";

export interface PromoteMisdatedOptions {
  store: Pick<BullmqStore, "now">;
  queue: string;
  openQueue: () => Promise<Pick<BullmqQueue, "getJobs">>;
  /** Time between two looks. */
  lookMilliseconds: number;
  logger: Logger;
}

/** Jobs per look, the latest ones first. */
const lookedMax = 100;
/** Clocks of replicas may differ by this much without consequence. */
const skewMilliseconds = 1_000;

/**
 * Regularly promotes delayed jobs that a process with a fast clock has delayed. BullMQ stores the time of the next attempt by the
 * clock of the process that failed. If that clock was an hour ahead, the job would wait an hour longer. Such a job shows a start
 * in the future, by the clocks of both this process and the store. Returns a function that stops the looks.
 */
export const promoteMisdated = (options: PromoteMisdatedOptions): (() => void) => {
  const { store, queue, openQueue, logger } = options;
  const look = async (): Promise<void> => {
    // A process with a slow clock must not promote every delayed job, which would use up all attempts within minutes.
    const now = Math.max(Date.now(), await store.now());
    const jobs = await (await openQueue()).getJobs(["delayed"], 0, lookedMax - 1, false);
    for (const job of jobs) {
      if ((job.processedOn ?? 0) <= now + skewMilliseconds) continue;
      await job.promote();
      logger.warn(
        { queue, id: job.id },
        "promoted a message that a process with a fast clock had delayed",
      );
    }
  };
  const timer = setInterval(() => {
    // Another replica may have promoted the job, and the next look follows soon.
    look().catch((error: unknown) =>
      logger.debug({ err: error, queue }, "failed to look for misdated messages, will retry"),
    );
  }, options.lookMilliseconds);
  timer.unref();
  return () => clearInterval(timer);
};
