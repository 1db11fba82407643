import { setTimeout as delay } from "node:timers/promises";
import type { RedisGeneration } from "./redis-generation.ts";

/** The generation of a cluster is known some seconds after the client was created. */
const waitMilliseconds = 10_000;
const lookMilliseconds = 50;

/** Resolves once the generation of Redis is known. Rejects after ten seconds. */
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
