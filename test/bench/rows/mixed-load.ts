import type { Stores } from "../harness/open-stores.ts";
import { createMixedLoad, type MixedRun } from "../harness/mixed-load.ts";
import type { Line, Row } from "../harness/row.ts";
import { withReplicas } from "../harness/run-programs.ts";
import { seedKeys } from "../harness/seed-keys.ts";
import { seededCount, seedRedis } from "../harness/seed.ts";
import { seedSignIns } from "../harness/sign-in-load.ts";
import { quantile } from "../harness/statistics.ts";

const replicaCounts = [1, 2] as const;
/** Long enough to wait for password hashes, which may take a second. */
const secondsMin = 10;

/** Users who can sign in, with a session each in Redis, and as many keys. */
export const seedMixed = async (stores: Stores): Promise<void> => {
  await seedSignIns(stores.databaseUrl);
  await seedRedis(stores);
  await seedKeys(stores.databaseUrl, seededCount);
};

const quantiles = (latencies: readonly number[]): string =>
  [50, 95, 99].map((of) => `p${of} ${quantile(latencies, of / 100).toFixed(1)} ms`).join(", ");

const linesOf = (count: number, { latencies, wrong, seconds }: MixedRun): Line[] => {
  const path = `mixed load, ${count} of each service`;
  const all = Object.values(latencies).flat();
  const line = (what: string, ours: string): Line => ({
    path: `${path}: ${what}`,
    ours,
    floor: "",
    ratio: "",
    budget: "-",
  });
  return [
    line("throughput", `${(all.length / seconds).toFixed(0)}/s`),
    { ...line("wrong answers", `${wrong} of ${all.length}`), budget: "0", met: wrong === 0 },
    line("all", quantiles(all)),
    ...Object.entries(latencies).map(([kind, some]) => line(kind, quantiles(some))),
  ];
};

/** Mixed load by many clients on separate processes, as in production. It has no floor and is only reported. */
export const mixedLoad: Row = {
  name: "mixed-load",
  measure: (bench) =>
    bench.withStores(async (stores) => {
      const { warmUpSeconds, roundSeconds, rounds, connections } = bench.options;
      await seedMixed(stores);
      const lines: Line[] = [];
      for (const count of replicaCounts)
        await withReplicas({ stores, count }, async ({ addresses }) => {
          const run = await createMixedLoad(addresses, connections);
          await run(warmUpSeconds);
          lines.push(...linesOf(count, await run(Math.max(roundSeconds * rounds, secondsMin))));
        });
      return lines;
    }),
};
