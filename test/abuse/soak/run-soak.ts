import { seedMixed } from "../../bench/rows/mixed-load.ts";
import type { Stores } from "../../bench/harness/open-stores.ts";
import { quantile } from "../../bench/harness/statistics.ts";
import { type House, type Servers, type Where, withHouse } from "../house/open-house.ts";
import { formatColumns, type Verdict } from "../report/verdict.ts";
import { fillCaches } from "./fill-caches.ts";
import { judgeSoak } from "./judge-soak.ts";
import { type Look, lookAt } from "./look.ts";
import { measureCapacity } from "./measure-capacity.ts";
import { type Stretch, startPacedLoad } from "./paced-load.ts";

export interface SoakOptions {
  servers: Servers;
  where: Where;
  seconds: number;
  /** For how long it is measured first how much it can do. */
  capacitySeconds: number;
  /** How often it is looked at. */
  everySeconds: number;
  /** Of what was measured. */
  shareOfCapacity: number;
  /** Whether slopes and percentiles are judged, which say something after some minutes on a quiet machine. */
  judgesCourse: boolean;
  say: (text: string) => void;
}

/** A stretch, and the look after it. */
export interface Moment {
  stretch: Stretch;
  look: Look;
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
    ...Object.values(look.told).map(
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

const soak = async (house: House, options: SoakOptions): Promise<Moment[]> => {
  const { seconds, capacitySeconds, everySeconds, say } = options;
  const doors = { gateway: house.origin, apikey: house.originOf("apikey") };
  const capacity = await measureCapacity(doors, capacitySeconds);
  const perSecond = capacity * options.shareOfCapacity;
  if (options.judgesCourse) await fillCaches(doors);
  say(
    `capacity ${capacity.toFixed(0)}/s, load ${perSecond.toFixed(0)}/s, sessions in ${options.where}`,
  );
  const load = await startPacedLoad(doors, perSecond);
  const moments: Moment[] = [];
  const begun = performance.now();
  try {
    while (performance.now() - begun < seconds * 1_000) {
      await new Promise((go) => setTimeout(go, everySeconds * 1_000));
      const stretch = load.take();
      moments.push({ stretch, look: await lookAt(house, (performance.now() - begun) / 60_000) });
      const last = moments.at(-1) as Moment; // just put there
      if (moments.length === 1) say(formatColumns([headings(Object.keys(last.look.told))]));
      say(rowOf(last).join("  "));
      for (const wrong of stretch.wrong.slice(0, 3)) say(wrong);
    }
  } finally {
    await load.stop();
  }
  say(formatColumns([headings(Object.keys(moments[0]?.look.told ?? {})), ...moments.map(rowOf)]));
  return moments;
};

/** What the mixed load needs, without the values that benchmarks compare with, which live for ever. */
const seed = async (stores: Stores): Promise<void> => {
  await seedMixed(stores);
  const { redis } = stores;
  const floor = await redis.keys(`${redis.keyPrefix}floor:*`);
  await Promise.all(floor.map((key) => redis.client.unlink(key)));
};

/** Keeps a house of processes busy for so long, and watches what grows. */
export const runSoak = (options: SoakOptions): Promise<Verdict[]> =>
  withHouse(
    {
      servers: options.servers,
      where: options.where,
      prepare: seed,
      config: {
        rateLimit: { enabled: false },
        session: { cookieCache: { enabled: true } },
      },
    },
    async (house) => {
      const moments = await soak(house, options);
      return judgeSoak({
        moments,
        judgesCourse: options.judgesCourse,
        outboxIsDrained: await isDrained(house),
        ended: house.processes.filter((own) => !own.isRunning()).map(({ service }) => service),
        errors: house.processes.flatMap(({ log }) =>
          log().filter((line) => /"level":(?:50|60)/.test(line)),
        ),
      });
    },
  );

const drainLooks = 60;

/** Whether no event waits, soon after the load is over. */
const isDrained = async (house: House): Promise<boolean> => {
  for (let look = 0; look < drainLooks; look += 1) {
    if ((await lookAt(house, 0)).outboxRows === 0) return true;
    await new Promise((go) => setTimeout(go, 1_000));
  }
  return false;
};
