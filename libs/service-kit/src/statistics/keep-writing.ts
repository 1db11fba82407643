import type { Logger } from "../observe/logger.ts";
import { every } from "../background/every.ts";
import type { Background } from "../background/every.ts";
import type { DailyTally } from "./daily-tally.ts";

/** Limits the loss of a killed process to its last second of counts, unless writes are slow or fail. */
const flushMilliseconds = 500;

/** Writes counts twice a second, and once more at the end. */
export const keepWriting = (
  tally: Pick<DailyTally<never, unknown>, "flush">,
  logger: Logger,
): Background => {
  const writing = every(flushMilliseconds, logger, tally.flush);
  return {
    stop: async () => {
      await writing.stop();
      await tally.flush();
    },
  };
};
