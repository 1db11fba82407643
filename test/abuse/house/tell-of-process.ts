import { monitorEventLoopDelay } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

// Loaded into each process of the house before its own program: on SIGUSR2 it collects its garbage and writes a line about itself.

/** What a process says of itself. */
export interface ProcessTold {
  residentMegabytes: number;
  /** After its garbage was collected. */
  heapMegabytes: number;
  /** Buffers, which lie outside of the heap. */
  externalMegabytes: number;
  cpuSeconds: number;
  /** The longest that the event loop was late since the line before, and what 99 of 100 looks were within. */
  loopDelayMaxMs: number;
  loopDelayP99Ms: number;
  /** Open connections. */
  sockets: number;
}

/** Before the line, as others write to the same output. */
export const tellMark = "\u0001told ";

const megabyte = 1024 ** 2;
const nanosecondsInMs = 1e6;

if (process.env["LATCHKEY_TELLS"] !== undefined) {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  process.on("SIGUSR2", () => {
    const loopDelayMaxMs = delay.max / nanosecondsInMs;
    const loopDelayP99Ms = delay.percentile(99) / nanosecondsInMs;
    collect();
    collect();
    delay.reset();
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage();
    const told: ProcessTold = {
      residentMegabytes: rss / megabyte,
      heapMegabytes: heapUsed / megabyte,
      externalMegabytes: (external + arrayBuffers) / megabyte,
      cpuSeconds: (user + system) / 1e6,
      loopDelayMaxMs,
      loopDelayP99Ms,
      sockets: process.getActiveResourcesInfo().filter((kind) => kind === "TCPSocketWrap").length,
    };
    process.stderr.write(`${tellMark}${JSON.stringify(told)}\n`);
  });
}
