import { setTimeout as delay } from "node:timers/promises";
import { type Job, UnrecoverableError } from "bullmq";
import type { Logger } from "../observe/logger.ts";
import type {
  BullmqQueue,
  BullmqStore,
  JobData,
  OpenedWorker,
  WorkerSettings,
} from "./bullmq-store.ts";
import type { Consumer, MessageHandler } from "./bus.ts";
import { promoteMisdated } from "./promote-misdated.ts";
import { UnretryableError } from "./unretryable-error.ts";
import { withDeadline } from "../bounds/with-deadline.ts";

export interface ConsumeQueueInput {
  store: BullmqStore;
  queue: string;
  openQueue: () => Promise<BullmqQueue>;
  handler: MessageHandler;
  attemptsMax: number;
  /** Time between two looks after the queue and the worker. */
  lookMilliseconds: number;
  settings: WorkerSettings;
  logger: Logger;
}

const reopenMilliseconds = 500;
const drainMilliseconds = 7_000;
/** A worker is lost if it starts no message between this many looks and their previous ones, although messages wait and it has room. */
const idleLooksMax = 2;

/** A worker and what it has done. */
interface CountedWorker extends OpenedWorker {
  isReady: boolean;
  startedCount: number;
  handledCount: number;
}

/** Opens a worker. Adds the runs of its handler to `handling` while they last. */
const openWorker = (input: ConsumeQueueInput, handling: Set<Promise<void>>): CountedWorker => {
  const { store, queue, handler, settings, logger } = input;
  const counts = { isReady: false, startedCount: 0, handledCount: 0 };
  // Only the handler counts: the completion of a message may never settle if the worker's connection is lost.
  const counted: MessageHandler = async (message, attempt) => {
    const run = (async () => handler(message, attempt))();
    const settled = run.then(
      () => {},
      () => {},
    );
    handling.add(settled);
    await run.finally(() => {
      handling.delete(settled);
      opened.handledCount += 1;
    });
  };
  const work = async (job: Job<JobData, void>) => {
    if (!("payload" in job.data)) return;
    opened.startedCount += 1;
    await runJob({ ...input, handler: counted }, job);
  };
  const opened: CountedWorker = Object.assign(store.openWorker(queue, work, settings), counts);
  opened.worker.on("error", (error) => logger.warn({ err: error, queue }, "bus consumer error"));
  return opened;
};

/**
 * Calls `onLost` when the current worker is lost: a client of a cluster whose connections fail while it connects may get neither an answer
 * nor an error. Returns a function that stops the looks.
 */
const watchWorker = (
  { queue, openQueue, settings, lookMilliseconds, logger }: ConsumeQueueInput,
  current: () => CountedWorker,
  onLost: () => void,
): (() => void) => {
  let idleLooks = 0;
  let seen: { worker: CountedWorker; startedCount: number } | undefined;
  let isLooking = false;
  const look = async (): Promise<void> => {
    const began = performance.now();
    const { waiting = 0 } = await (await openQueue()).getJobCounts("waiting");
    // The store was unavailable meanwhile, and a worker needs time to connect again.
    if (performance.now() - began > lookMilliseconds) throw new Error("The look took too long");
    const worker = current();
    const { startedCount, handledCount } = worker;
    const hasRoom = startedCount - handledCount < settings.concurrency;
    const isSame = seen?.worker === worker && seen.startedCount === startedCount;
    seen = { worker, startedCount };
    idleLooks = isSame && hasRoom && waiting > 0 ? idleLooks + 1 : 0;
    if (idleLooks < idleLooksMax) return;
    idleLooks = 0;
    logger.warn({ queue }, "bus consumer started no message although some wait, will be replaced");
    onLost();
  };
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    look()
      .catch(() => {
        idleLooks = 0;
        seen = undefined;
      })
      .finally(() => (isLooking = false));
  }, lookMilliseconds);
  timer.unref();
  return () => clearInterval(timer);
};

/** Ends a worker that may not answer, without waiting for its handlers. */
const endWorker = async ({ worker, destroy }: OpenedWorker, queue: string): Promise<void> => {
  try {
    await withDeadline(worker.close(true), drainMilliseconds, `Closing a consumer of ${queue}`);
  } catch {
    destroy();
  }
};

/** Waits until a worker is connected. Ends one whose first connection fails, because it never recovers. */
const isConnected = async (
  opened: CountedWorker,
  { queue, logger }: ConsumeQueueInput,
  stopping: AbortSignal,
): Promise<boolean> => {
  try {
    await opened.worker.waitUntilReady();
    return true;
  } catch (error) {
    if (stopping.aborted) return false;
    logger.warn({ err: error, queue }, "bus consumer failed to reach the store, will retry");
    await endWorker(opened, queue);
    return false;
  }
};

/**
 * Runs a worker on a queue. Opens it again until the store is reachable for the first time, and opens another one in place of one that is
 * lost.
 */
export const consumeQueue = (input: ConsumeQueueInput): Consumer => {
  const { queue, logger } = input;
  const stopping = new AbortController();
  const handling = new Set<Promise<void>>();
  const ending = new Set<Promise<void>>();
  let current = openWorker(input, handling);
  const start = async (opened: CountedWorker): Promise<void> => {
    const isWanted = () => opened === current && !stopping.signal.aborted;
    if (!(await isConnected(opened, input, stopping.signal))) {
      await delay(reopenMilliseconds, undefined, { signal: stopping.signal }).catch(() => {});
      if (isWanted()) begin();
      return;
    }
    opened.isReady = true;
    if (isWanted()) await opened.worker.run();
  };
  const run = () => {
    start(current).catch((error: unknown) =>
      logger.error({ err: error, queue }, "bus consumer ended"),
    );
  };
  const begin = () => {
    current = openWorker(input, handling);
    run();
  };
  run();

  const stopWatching = watchWorker(
    input,
    () => current,
    () => {
      if (stopping.signal.aborted) return;
      const end = endWorker(current, queue).finally(() => ending.delete(end));
      ending.add(end);
      begin();
    },
  );
  const stopPromoting = promoteMisdated(input);
  let stopped: Promise<void> | undefined;
  const drain = async () => {
    if (current.isReady) await current.letGo();
    await Promise.all([current.worker.close(), ...ending, ...handling]);
  };
  const close = async () => {
    stopping.abort();
    stopWatching();
    stopPromoting();
    try {
      await withDeadline(drain(), drainMilliseconds, `Stopping the consumer of ${queue}`);
    } catch (error) {
      logger.warn(
        { err: error, queue },
        "bus consumer stopped with active messages, they may run again",
      );
      current.destroy();
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
