import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below the ephemeral ports of Linux and macOS, so that no outgoing connection takes a chosen port before it is used. */
const portMin = 20_000;
const portMax = 31_999;
const attemptsMax = 400;

/** Processes with neighbouring ids choose from ranges of their own, because a port stays free for seconds until its server listens. */
const rangeSize = 200;
const ranges = (portMax + 1 - portMin) / rangeSize;
const rangeMin = portMin + (process.pid % ranges) * rangeSize;
const chooseInRange = () => randomInt(rangeMin, rangeMin + rangeSize);

/** The last ports that this process got. Their servers may not listen yet. */
const recent: number[] = [];
const recentMax = 100;

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") resolve(false);
      else reject(error);
    });
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });

/**
 * Returns a random TCP port that is free on 127.0.0.1, and none of the last hundred again. Another process may take it first, so be ready
 * to retry. Rejects if it finds none.
 */
export async function freePort(choose: () => number = chooseInRange): Promise<number> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const port = choose();
    if (recent.includes(port)) continue;
    recent.push(port);
    if (recent.length > recentMax) recent.shift();
    if (await isFree(port)) return port;
  }
  throw new Error(`No port was free in ${attemptsMax} attempts`);
}
