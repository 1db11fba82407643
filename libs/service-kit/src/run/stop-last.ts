import type { Background } from "./service.ts";

/** A part that stops once the others have: what they do until then, it still sees to. */
export const stopLast = (last: Background, others: readonly Background[]): Background => ({
  drain: () => {
    for (const part of others) part.drain?.();
  },
  stop: async () => {
    await Promise.allSettled(others.map((part) => part.stop()));
    await last.stop();
  },
});
