import { monitorEventLoopDelay } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

// Loaded into each process of the house before its own program: on SIGUSR2 it collects its garbage and writes a line about itself.

/** What a process says of itself. */
export interface ProcessTold {
  /**
   * The least since the line before, as a password that is hashed takes 32 MB for its tenth of a second; without V8's
   * young generation, which doubles under load to 52 MB and keeps nothing: what survives two collections leaves it.
   */
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
const lookMilliseconds = 50;
const nanosecondsInMs = 1e6;
const youngSpaces = new Set(["new_space", "new_large_object_space"]);

const youngBytes = (): number =>
  getHeapSpaceStatistics()
    .filter(({ space_name }) => youngSpaces.has(space_name))
    .reduce((sum, { physical_space_size }) => sum + physical_space_size, 0);

if (process.env["LATCHKEY_TELLS"] !== undefined) {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  let residentMin = Infinity;
  const look = () => {
    residentMin = Math.min(residentMin, process.memoryUsage.rss() - youngBytes());
  };
  setInterval(look, lookMilliseconds).unref();
  process.on("SIGUSR2", () => {
    const loopDelayMaxMs = delay.max / nanosecondsInMs;
    const loopDelayP99Ms = delay.percentile(99) / nanosecondsInMs;
    collect();
    collect();
    delay.reset();
    const { user, system } = process.cpuUsage();
    const { heapUsed, external, arrayBuffers } = process.memoryUsage();
    look();
    const told: ProcessTold = {
      residentMegabytes: residentMin / megabyte,
      heapMegabytes: heapUsed / megabyte,
      externalMegabytes: (external + arrayBuffers) / megabyte,
      cpuSeconds: (user + system) / 1e6,
      loopDelayMaxMs,
      loopDelayP99Ms,
      sockets: process.getActiveResourcesInfo().filter((kind) => kind === "TCPSocketWrap").length,
    };
    residentMin = Infinity;
    process.stderr.write(`${tellMark}${JSON.stringify(told)}\n`);
  });
}
