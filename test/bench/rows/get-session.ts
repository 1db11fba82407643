import type { Bench, Stores } from "../harness/bench.ts";
import type { Child } from "../harness/child.ts";
import { compare, type Comparison, type Side } from "../harness/compare.ts";
import { runLoad } from "../harness/load.ts";
import { getSessionRequests } from "../harness/requests.ts";
import type { Line } from "../harness/row.ts";
import { seedPostgres, seedRedis } from "../harness/seed.ts";
import type { StackInput } from "../harness/stack-settings.ts";
import { floorModule, stackModule, withChildren } from "../harness/with-children.ts";

const throughputMin = 0.6;
const cpuMax = 1.6;

type Where = "postgres" | "redis";

const linesOf = (where: Where, { ours, floor, throughputRatio, cpuRatio }: Comparison): Line[] => [
  {
    path: `GET /get-session, ${where}: throughput`,
    ours: `${ours.perSecond.toFixed(0)}/s`,
    floor: `${floor.perSecond.toFixed(0)}/s`,
    ratio: throughputRatio.toFixed(2),
    budget: `>= ${throughputMin}`,
    met: throughputRatio >= throughputMin,
  },
  {
    path: `GET /get-session, ${where}: CPU a request`,
    ours: `${ours.cpuMicroseconds.toFixed(0)} µs`,
    floor: `${floor.cpuMicroseconds.toFixed(0)} µs`,
    ratio: cpuRatio.toFixed(2),
    budget: `<= ${cpuMax}`,
    met: cpuRatio <= cpuMax,
  },
];

const seed = async (where: Where, stores: Stores): Promise<void> => {
  await seedPostgres(stores.databaseUrl);
  if (where === "redis") await seedRedis(stores);
};

const startSide = async (bench: Bench, child: Child, input: StackInput): Promise<Side> => {
  const url = await child.ask<string>("start", input);
  const next = getSessionRequests();
  const { connections } = bench.options;
  const accepts = ({ status, body }: { status: number; body: Buffer }) =>
    status === 200 && body.includes("@example.com");
  return { child, run: (seconds) => runLoad({ url, connections, next, accepts }, seconds) };
};

/** get-session with a random one of many sessions, rate limits off, against the floor on the same store. */
export const measureGetSession = (bench: Bench, where: Where): Promise<Line[]> =>
  bench.withStores(async (stores) => {
    await seed(where, stores);
    const input = stores.stackInput(where);
    return withChildren({ ours: stackModule, floor: floorModule }, async (children) => {
      const ours = await startSide(bench, children.ours, input);
      const floor = await startSide(bench, children.floor, input);
      return linesOf(where, await compare(bench, { ours, floor }));
    });
  });
