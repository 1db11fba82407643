import { setTimeout as delay } from "node:timers/promises";
import { type Job, UnrecoverableError } from "bullmq";
import type { Logger } from "../observe/logger.ts";
import type {
  BullmqQueue,
  BullmqStore,
  BullmqWorker,
  JobData,
  OpenedWorker,
  WorkerSettings,
} from "./bullmq-store.ts";
import type { Consumer, MessageHandler } from "./bus.ts";
import { promoteMisdated } from "./promote-misdated.ts";
import { UnretryableError } from "./unretryable-error.ts";
import { withDeadline } from "../run/with-deadline.ts";

export interface ConsumeQueueInput {
  store: BullmqStore;
  queue: string;
  openQueue: () => Promise<BullmqQueue>;
  handler: MessageHandler;
  attemptsMax: number;
  misdatedMilliseconds: number;
  settings: WorkerSettings;
  logger: Logger;
}

const reopenMilliseconds = 500;
const drainMilliseconds = 7_000;

/** Runs a worker on a queue. Opens it again until the store is reachable for the first time. */
export const consumeQueue = (input: ConsumeQueueInput): Consumer => {
  const { store, queue, logger } = input;
  const stopping = new AbortController();
  let isReady = false;
  let current: OpenedWorker;
  const open = () => {
    current = store.openWorker(queue, (job) => runJob(input, job), input.settings);
    current.worker.on("error", (error) => logger.warn({ err: error, queue }, "bus consumer error"));
    return current.worker;
  };
  const start = async (worker: BullmqWorker): Promise<void> => {
    try {
      await worker.waitUntilReady();
    } catch (error) {
      if (stopping.signal.aborted) return;
      logger.warn({ err: error, queue }, "bus consumer failed to reach the store, will retry");
      // A worker never recovers from a failed first connection.
      await worker.close().catch(() => {});
      await delay(reopenMilliseconds, undefined, { signal: stopping.signal }).catch(() => {});
      return stopping.signal.aborted ? undefined : start(open());
    }
    isReady = true;
    if (!stopping.signal.aborted) await worker.run();
  };
  start(open()).catch((error: unknown) =>
    logger.error({ err: error, queue }, "bus consumer ended"),
  );

  const stopPromoting = promoteMisdated(input);
  let stopped: Promise<void> | undefined;
  const drain = async () => {
    if (isReady) await current.letGo();
    await current.worker.close();
  };
  const close = async () => {
    stopping.abort();
    stopPromoting();
    try {
      await withDeadline(drain(), drainMilliseconds, `Stopping the consumer of ${queue}`);
    } catch (error) {
      logger.warn(
        { err: error, queue },
        "bus consumer stopped with active messages, they may run again",
      );
      current.worker.disconnect().catch(() => {});
    }
  };
  const stop = () => (stopped ??= close());
  return { drain: () => void stop(), stop };
};

/**
 * Removes the data before the job is completed, so that no secret outlives its use. If the process ends between the two, the
 * active job without data runs again and has nothing left to do.
 */
const runJob = async (input: ConsumeQueueInput, job: Job<JobData, void>): Promise<void> => {
  const { handler, queue, logger } = input;
  if (!("payload" in job.data)) return;
  const attempt = job.attemptsMade + 1;
  const message = { id: job.id ?? "", name: job.name, data: job.data.payload };
  try {
    await handler(message, attempt);
  } catch (error) {
    const last = error instanceof UnretryableError || attempt >= input.attemptsMax;
    const details = { err: error, queue, id: message.id, name: message.name, attempt };
    logger[last ? "error" : "warn"](
      details,
      last ? "message failed permanently" : "message failed, will retry",
    );
    if (last) throw new UnrecoverableError(error instanceof Error ? error.message : String(error));
    throw error;
  }
  await job.updateData({});
};
