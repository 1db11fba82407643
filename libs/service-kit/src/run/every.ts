import type { Logger } from "../observe/logger.ts";
import type { Background } from "./service.ts";

/** Runs `work` periodically, never concurrently. Logs an error and continues. */
export const every = (
  milliseconds: number,
  logger: Logger,
  work: () => Promise<unknown>,
): Background => {
  let running: Promise<unknown> | undefined;
  const timer = setInterval(() => {
    running ??= work()
      .catch((error: unknown) => logger.warn({ err: error }, "periodic work failed, will retry"))
      .finally(() => {
        running = undefined;
      });
  }, milliseconds);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
};
