import type { Wake } from "../background/create-wake.ts";
import type { Background } from "../background/every.ts";
import { withDeadline } from "../bounds/with-deadline.ts";
import { isUnavailable } from "../http/unavailable.ts";
import type { Logger } from "../observe/logger.ts";

/** The room of a process for further attempts. */
export interface Room {
  /** Number of running attempts, by lane. */
  running: ReadonlyMap<string, number>;
  /** Maximum number of deliveries to claim. */
  limit: number;
  /** An attempt takes less. */
  leaseSeconds: number;
}

/**
 * One kind of deliveries, whose rows belong to the service. A claim leases due rows, so that one process attempts each, and another one after
 * the lease if that process is gone. An outcome changes nothing once another process has claimed its row. So deliveries are attempted at
 * least once, and a killed process loses nothing.
 */
export interface Deliveries<Claimed, Outcome> {
  /** Names the kind in log messages. */
  kind: string;
  /** Maximum number of attempts of a process at a time. Bounds its memory, whatever waits. */
  concurrency: number;
  /** An attempt ends within this time. */
  attemptSeconds: number;
  /** Leases due deliveries. Of concurrent calls, one gets a delivery. Decides by `running` which lanes may have more attempts. */
  claim(room: Room): Promise<readonly Claimed[]>;
  /** The lane whose share of the attempts a delivery takes. */
  laneOf(claimed: Claimed): string;
  /** Attempts a delivery. A failure is an outcome too. Rejects only for the reason of the signal, which the stop of the process aborts. */
  attempt(claimed: Claimed, signal: AbortSignal): Promise<Outcome>;
  /** Measures an attempt. */
  observe(claimed: Claimed, outcome: Outcome, seconds: number): void;
  /** Records outcomes. Called again with those of a failed call, so it changes nothing for an outcome that is already recorded. */
  settle(outcomes: readonly Outcome[]): Promise<void>;
  /** Acts on an outcome after its record. */
  onSettled?(claimed: Claimed, outcome: Outcome): Promise<void>;
  /** Ends the lease of an interrupted attempt. Absent if such an attempt may still succeed, so that its lease has to end by itself. */
  release?(claimed: Claimed): Promise<void>;
}

const leaseMarginSeconds = 60;
const batchMax = 100;
const refusalsMax = 5;
/** Doubles while nothing is due. The loop is woken where deliveries are added, or made due. */
const pollMilliseconds = { first: 500, max: 4_000 };
const restMilliseconds = 1_000;
/** Together less than the time that a service has to stop. */
const finishMilliseconds = 6_000;
const interruptMilliseconds = 1_000;

interface Waiting<Outcome> {
  outcome: Outcome;
  /** How often the database has refused it. */
  refusals: number;
  done: (isRecorded: boolean) => void;
}

/**
 * Creates a function that records an outcome, and resolves with whether it could. Outcomes that arrive during a write are recorded together by
 * the next one. While the database is unavailable, it tries again until the process stops. `isBehind` says so: claims have to wait then,
 * because the leases of what was sent may have ended. An outcome that the database refuses does not hold up the others.
 */
const createSettler = <Claimed, Outcome>(
  { kind, settle }: Deliveries<Claimed, Outcome>,
  { logger, stopped }: { logger: Logger; stopped: AbortSignal },
) => {
  const waiting: Waiting<Outcome>[] = [];
  let isWriting = false;
  let isBehind = false;
  /** Puts the first outcome behind the others, or gives it up. A deadlock, for example, ends by itself. */
  const postpone = (error: unknown): void => {
    const [first] = waiting.splice(0, 1);
    if (!first) return;
    first.refusals += 1;
    if (first.refusals < refusalsMax) {
      waiting.push(first);
      return;
    }
    logger.error({ err: error, kind }, "the outcome of a delivery cannot be recorded");
    first.done(false);
  };
  const writeAll = async () => {
    let size = batchMax;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, size);
      try {
        await settle(batch.map(({ outcome }) => outcome));
        isBehind = false;
        size = batchMax;
        waiting.splice(0, batch.length);
        for (const { done } of batch) done(true);
      } catch (error) {
        if (!isUnavailable(error)) {
          if (size === 1) postpone(error);
          // One at a time shows which outcome is refused.
          else size = 1;
          continue;
        }
        logger.warn({ err: error, kind }, "failed to record deliveries, will retry");
        isBehind = true;
        if (stopped.aborted) for (const { done } of waiting.splice(0)) done(false);
        await new Promise((resolve) => setTimeout(resolve, restMilliseconds));
      }
    }
    isWriting = false;
  };
  return {
    isBehind: () => isBehind,
    record: (outcome: Outcome): Promise<boolean> =>
      new Promise((done) => {
        waiting.push({ outcome, refusals: 0, done });
        if (isWriting) return;
        isWriting = true;
        void writeAll();
      }),
  };
};

/** The running attempts of this process. */
const createRunning = () => {
  const counts = new Map<string, number>();
  const tasks = new Set<Promise<void>>();
  return {
    counts,
    tasks,
    add: (lane: string, task: () => Promise<void>) => {
      counts.set(lane, (counts.get(lane) ?? 0) + 1);
      const ended = task().finally(() => {
        const count = (counts.get(lane) ?? 1) - 1;
        if (count > 0) counts.set(lane, count);
        else counts.delete(lane);
        tasks.delete(ended);
      });
      tasks.add(ended);
    },
  };
};

/** Claims until the process stops, less and less often while nothing is due. */
const repeat = async (
  claim: () => Promise<boolean>,
  {
    kind,
    logger,
    wake,
    isStopping,
  }: { kind: string; logger: Logger; wake: Wake; isStopping: () => boolean },
): Promise<void> => {
  let milliseconds = pollMilliseconds.first;
  while (!isStopping())
    try {
      const isIdle = await claim();
      const wasWoken = await wake.pause(milliseconds);
      milliseconds =
        isIdle && !wasWoken
          ? Math.min(milliseconds * 2, pollMilliseconds.max)
          : pollMilliseconds.first;
    } catch (error) {
      logger.warn({ err: error, kind }, "failed to claim due deliveries, will retry");
      await wake.pause(restMilliseconds);
    }
};

/** Starts the loop that claims due deliveries and attempts them, until it stops. Each replica runs one. `wake` ends its pause. */
export const startDeliveries = <Claimed, Outcome>(
  { logger, wake }: { logger: Logger; wake: Wake },
  deliveries: Deliveries<Claimed, Outcome>,
): Background => {
  const { kind, concurrency } = deliveries;
  const leaseSeconds = deliveries.attemptSeconds + leaseMarginSeconds;
  const running = createRunning();
  const aborting = new AbortController();
  const { record, isBehind } = createSettler(deliveries, { logger, stopped: aborting.signal });
  let stopping = false;

  const attempt = async (claimed: Claimed): Promise<void> => {
    try {
      const from = performance.now();
      const outcome = await deliveries.attempt(claimed, aborting.signal);
      deliveries.observe(claimed, outcome, (performance.now() - from) / 1_000);
      if (await record(outcome)) await deliveries.onSettled?.(claimed, outcome);
    } catch (error) {
      // Otherwise the lease ends by itself, so that an unexpected failure is not repeated at once.
      if (aborting.signal.aborted) await deliveries.release?.(claimed).catch(() => {});
      else logger.error({ err: error, kind }, "delivery was interrupted, will retry");
    } finally {
      wake.wake();
    }
  };
  /** Returns whether it was possible to claim, and nothing was due. */
  const claim = async (): Promise<boolean> => {
    const limit = concurrency - running.tasks.size;
    if (limit <= 0 || isBehind()) return false;
    const claimed = await deliveries.claim({ running: running.counts, limit, leaseSeconds });
    for (const each of claimed) running.add(deliveries.laneOf(each), () => attempt(each));
    return claimed.length === 0;
  };
  const ended = repeat(claim, { kind, logger, wake, isStopping: () => stopping });
  const drain = () => {
    stopping = true;
    wake.wake();
  };
  const areDone = (milliseconds: number) =>
    withDeadline(
      ended.then(() => Promise.allSettled(running.tasks)),
      milliseconds,
      kind,
    ).catch(() => {});
  return {
    drain,
    stop: async () => {
      drain();
      await areDone(finishMilliseconds);
      aborting.abort(new Error("the service stops"));
      await areDone(interruptMilliseconds);
    },
  };
};
