import { setTimeout as delay } from "node:timers/promises";
import type { RedisGeneration } from "./redis-generation.ts";

/** A cluster's is known some seconds after the client was made. */
const waitMilliseconds = 10_000;
const lookMilliseconds = 50;

/** Resolves once the life of Redis is known; rejects where it is not within ten seconds. */
export const untilGeneration = async (generation: RedisGeneration): Promise<void> => {
  const giveUpAt = performance.now() + waitMilliseconds;
  for (;;) {
    try {
      generation();
      return;
    } catch (error) {
      if (performance.now() > giveUpAt) throw error;
    }
    await delay(lookMilliseconds);
  }
};
