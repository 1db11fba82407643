import { randomBytes, scrypt } from "node:crypto";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import { serveParent } from "../harness/serve-parent.ts";

// Raw rate of password hashes on the cores of this machine.

const keyBytes = 64;
const cost = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 };
const derive = promisify<string, Buffer, number, typeof cost, Buffer>(scrypt);

const deriveUntil = async (until: number): Promise<number[]> => {
  const salt = randomBytes(16);
  const latencies: number[] = [];
  let now = performance.now();
  while (now < until) {
    const begun = now;
    await derive("correct horse", salt, keyBytes, cost);
    now = performance.now();
    latencies.push(now - begun);
  }
  return latencies;
};

serveParent({
  run: async (seconds: number) => {
    const begun = performance.now();
    const until = begun + seconds * 1000;
    const all = await Promise.all(
      Array.from({ length: availableParallelism() }, () => deriveUntil(until)),
    );
    const latencies = all.flat();
    return { count: latencies.length, seconds: (performance.now() - begun) / 1000, latencies };
  },
  stop: () => {},
});
