import type { Logger } from "../observe/logger.ts";
import type { Background } from "./service.ts";

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
