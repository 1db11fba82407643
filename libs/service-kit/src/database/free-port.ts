import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below the ports that operating systems give to outgoing connections, one of which could take a chosen port before it is used. */
const lowest = 20_000;
const highest = 32_000;
const attemptsMax = 100;

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });

/** Returns a random TCP port that is free on 127.0.0.1. Another server may take it first, so be ready to retry. Rejects if it finds none. */
export async function freePort(
  choose: () => number = () => randomInt(lowest, highest + 1),
): Promise<number> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const port = choose();
    if (await isFree(port)) return port;
  }
  throw new Error(`No port from ${lowest} to ${highest} was free in ${attemptsMax} attempts`);
}
