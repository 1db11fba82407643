import type { Logger } from "../observe/logger.ts";

/** A background part of a service, such as a relay or a consumer. */
export interface Background {
  /** Stops taking new work while servers still answer. Active work continues until `stop`. */
  drain?(): void;
  /** Called after audit entries of the service were sealed, by any replica. */
  onSealed?(): void;
  stop(): Promise<void>;
}

export interface PeriodicWork extends Background {
  /** Runs the work now. If the work is already running, runs it once more afterwards. */
  wake(): void;
}

/** Runs `work` periodically, never concurrently. Logs an error and continues. */
export const every = (
  milliseconds: number,
  logger: Logger,
  work: () => Promise<unknown>,
): PeriodicWork => {
  let running: Promise<unknown> | undefined;
  let isWanted = false;
  let isStopped = false;
  const run = () => {
    running ??= work()
      .catch((error: unknown) => logger.warn({ err: error }, "periodic work failed, will retry"))
      .finally(() => {
        running = undefined;
        if (isWanted) wake();
      });
  };
  const wake = () => {
    isWanted = running !== undefined;
    if (!isWanted && !isStopped) run();
  };
  const timer = setInterval(run, milliseconds);
  timer.unref();
  return {
    wake,
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
      await running;
    },
  };
};
