import type { Logger } from "../observe/logger.ts";
import { every } from "../run/every.ts";
import type { Background } from "../run/service.ts";
import type { DailyTally } from "./daily-tally.ts";

/**
 * What a killed process has counted and not written is of its last second at most, as long as a write takes less than this and
 * none fails.
 */
const flushMilliseconds = 500;

/** Writes what was counted twice a second, and once more at the end. */
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
