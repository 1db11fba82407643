import { availableParallelism } from "node:os";
import { serveParent } from "./serve-parent.ts";

const repeatUntil = async (until: number, work: () => Promise<unknown>): Promise<number[]> => {
  const latencies: number[] = [];
  let now = performance.now();
  while (now < until) {
    const begun = now;
    await work();
    now = performance.now();
    latencies.push(now - begun);
  }
  return latencies;
};

/** Serves the raw rate of some work on the cores of this machine: one call at a time for each core. Latencies are in milliseconds. */
export const serveRate = (work: () => Promise<unknown>): void =>
  serveParent({
    run: async (seconds: number) => {
      const begun = performance.now();
      const until = begun + seconds * 1000;
      const all = await Promise.all(
        Array.from({ length: availableParallelism() }, () => repeatUntil(until, work)),
      );
      const latencies = all.flat();
      return { count: latencies.length, seconds: (performance.now() - begun) / 1000, latencies };
    },
    stop: () => {},
  });
