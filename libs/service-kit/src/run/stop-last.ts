import type { Background } from "./service.ts";

/** Stops a part after the others, because it still processes their last work. */
export const stopLast = (last: Background, others: readonly Background[]): Background => ({
  drain: () => {
    for (const part of others) part.drain?.();
  },
  stop: async () => {
    await Promise.allSettled(others.map((part) => part.stop()));
    await last.stop();
  },
});
