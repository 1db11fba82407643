import { monitorEventLoopDelay } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

// Preloaded into each process of the system: on SIGUSR2 it collects garbage and writes a line of measurements.

/** Measurements that a process reports about itself. */
export interface Measurements {
  /**
   * Minimum since the previous line, because hashing a password takes 32 MB for a tenth of a second. Excludes V8's young
   * generation, which doubles under load to 52 MB and keeps nothing: objects that survive two collections leave it.
   */
  residentMegabytes: number;
  /** After garbage collection. */
  heapMegabytes: number;
  /** Buffers outside the heap. */
  externalMegabytes: number;
  cpuSeconds: number;
  /** Maximum and 99th percentile of the event loop delay since the previous line. */
  loopDelayMaxMs: number;
  loopDelayP99Ms: number;
  /** Open connections. */
  sockets: number;
}

/** Marks the line, because other output goes to the same stream. */
export const measurementsMark = "\u0001measured ";

const megabyte = 1024 ** 2;
const lookMilliseconds = 50;
const nanosecondsInMs = 1e6;
const youngSpaces = new Set(["new_space", "new_large_object_space"]);

const youngBytes = (): number =>
  getHeapSpaceStatistics()
    .filter(({ space_name }) => youngSpaces.has(space_name))
    .reduce((sum, { physical_space_size }) => sum + physical_space_size, 0);

if (process.env["LATCHKEY_MEASURES"] !== undefined) {
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
    const measurements: Measurements = {
      residentMegabytes: residentMin / megabyte,
      heapMegabytes: heapUsed / megabyte,
      externalMegabytes: (external + arrayBuffers) / megabyte,
      cpuSeconds: (user + system) / 1e6,
      loopDelayMaxMs,
      loopDelayP99Ms,
      sockets: process.getActiveResourcesInfo().filter((kind) => kind === "TCPSocketWrap").length,
    };
    residentMin = Infinity;
    process.stderr.write(`${measurementsMark}${JSON.stringify(measurements)}\n`);
  });
}
