import type { Logger } from "../observe/logger.ts";
import type { Background } from "./service.ts";

/** Does `work` every so often, never twice at once; an error is logged and the next time comes all the same. */
export const every = (
  milliseconds: number,
  logger: Logger,
  work: () => Promise<unknown>,
): Background => {
  let running: Promise<unknown> | undefined;
  const timer = setInterval(() => {
    running ??= work()
      .catch((error: unknown) => logger.warn({ err: error }, "periodic work failed"))
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
