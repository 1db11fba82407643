import { type Background, every } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";

/**
 * What a killed process has counted and not written is of its last second at most, as long as a write takes less than this and
 * none fails.
 */
const flushMilliseconds = 500;

/** Writes what was counted twice a second, and once more at the end. */
export const keepWritingUsage = ({ usage, logger }: Pick<Deps, "logger" | "usage">): Background => {
  const writing = every(flushMilliseconds, logger, usage.flush);
  return {
    stop: async () => {
      await writing.stop();
      await usage.flush();
    },
  };
};
