import { seedMixed } from "../../../bench/rows/mixed-load.ts";
import type { Stores } from "../../../bench/harness/open-stores.ts";
import { quantile } from "../../../bench/harness/statistics.ts";
import { type System, type Servers, type Where, withSystem } from "../system/open-system.ts";
import { formatColumns, type Verdict } from "../report/verdict.ts";
import { fillCaches } from "./fill-caches.ts";
import { judgeSoak, type Moment } from "./judge-soak.ts";
import { lookAt } from "./look.ts";
import { measureCapacity } from "./measure-capacity.ts";
import { startPacedLoad } from "./paced-load.ts";

export interface SoakOptions {
  servers: Servers;
  where: Where;
  seconds: number;
  /** Duration of the capacity measurement before the soak. */
  capacitySeconds: number;
  /** Interval between measurements. */
  everySeconds: number;
  /** Load, as a share of the measured capacity. */
  shareOfCapacity: number;
  /** Whether to judge slopes and percentiles. They are meaningful after some minutes on a quiet machine. */
  judgesCourse: boolean;
  say: (text: string) => void;
}

const headings = (names: readonly string[]) => [
  "min",
  "right",
  "503",
  "wrong",
  "p50 ms",
  "p99 ms",
  ...names.map((name) => `${name} heap/resident MB, loop p99 ms`),
  "connections",
  "dead rows",
  "outbox",
  "keys",
  "bus keys",
  "immortal",
];

const rowOf = ({ stretch, look }: Moment): string[] => {
  const all = Object.values(stretch.latencies).flat();
  return [
    look.minutes.toFixed(1),
    String(stretch.right),
    String(stretch.overloaded),
    String(stretch.wrong.length),
    quantile(all, 0.5).toFixed(0),
    quantile(all, 0.99).toFixed(0),
    ...Object.values(look.measurements).map(
      ({ heapMegabytes, residentMegabytes, loopDelayP99Ms }) =>
        `${heapMegabytes.toFixed(1)}/${residentMegabytes.toFixed(0)}, ${loopDelayP99Ms.toFixed(0)}`,
    ),
    String(look.postgresConnections),
    String(look.deadRows),
    String(look.outboxRows),
    String(look.redisKeys),
    String(look.busKeys),
    String(look.immortalKeys),
  ];
};

const soak = async (system: System, options: SoakOptions): Promise<Moment[]> => {
  const { seconds, capacitySeconds, everySeconds, say } = options;
  const addresses = { gateway: system.origin, apikey: system.originOf("apikey") };
  const capacity = await measureCapacity(addresses, capacitySeconds);
  const perSecond = capacity * options.shareOfCapacity;
  if (options.judgesCourse) await fillCaches(addresses);
  say(
    `capacity ${capacity.toFixed(0)}/s, load ${perSecond.toFixed(0)}/s, sessions in ${options.where}`,
  );
  const load = await startPacedLoad(addresses, perSecond);
  const moments: Moment[] = [];
  const begun = performance.now();
  try {
    while (performance.now() - begun < seconds * 1_000) {
      await new Promise((go) => setTimeout(go, everySeconds * 1_000));
      const stretch = load.take();
      moments.push({ stretch, look: await lookAt(system, (performance.now() - begun) / 60_000) });
      const last = moments.at(-1) as Moment; // added above
      if (moments.length === 1) say(formatColumns([headings(Object.keys(last.look.measurements))]));
      say(rowOf(last).join("  "));
      for (const wrong of stretch.wrong.slice(0, 3)) say(wrong);
    }
  } finally {
    await load.stop();
  }
  say(
    formatColumns([
      headings(Object.keys(moments[0]?.look.measurements ?? {})),
      ...moments.map(rowOf),
    ]),
  );
  return moments;
};

/** Creates the data of the mixed load, except for the values that benchmarks compare with, which never expire. */
const seed = async (stores: Stores): Promise<void> => {
  await seedMixed(stores);
  const { redis } = stores;
  const floor = await redis.keys(`${redis.keyPrefix}floor:*`);
  await Promise.all(floor.map((key) => redis.client.unlink(key)));
};

/** Keeps a system of processes under load and checks for growth. */
export const runSoak = (options: SoakOptions): Promise<Verdict[]> =>
  withSystem(
    {
      servers: options.servers,
      where: options.where,
      prepare: seed,
      config: {
        rateLimit: { enabled: false },
        session: { cookieCache: { enabled: true } },
      },
    },
    async (system) => {
      const moments = await soak(system, options);
      return judgeSoak({
        moments,
        judgesCourse: options.judgesCourse,
        outboxIsDrained: await isDrained(system),
        ended: system.processes.filter((own) => !own.isRunning()).map(({ service }) => service),
        errors: system.processes.flatMap(({ log }) =>
          log().filter((line) => /"level":(?:50|60)/.test(line)),
        ),
      });
    },
  );

const drainLooks = 60;

/** Waits for the outbox to empty after the load, and returns whether it did. */
const isDrained = async (system: System): Promise<boolean> => {
  for (let look = 0; look < drainLooks; look += 1) {
    if ((await lookAt(system, 0)).outboxRows === 0) return true;
    await new Promise((go) => setTimeout(go, 1_000));
  }
  return false;
};
