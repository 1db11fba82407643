import { until } from "../../../libs/testkit/src/until.ts";
import type { Filler } from "../children/filler.ts";
import { type Bench, withManyRounds } from "../harness/bench.ts";
import type { Child } from "../harness/child.ts";
import { type CpuQuotas, openCpuQuotas } from "../harness/cpu-quotas.ts";
import { connectKeepAlive } from "../harness/keep-alive-client.ts";
import { runLoad } from "../harness/load.ts";
import { isRight } from "../harness/mixed-load.ts";
import type { Stores } from "../harness/open-stores.ts";
import { cachedGetSessionRequests, getSessionRequests } from "../harness/requests.ts";
import type { Line, Row } from "../harness/row.ts";
import { type StartedService, type StartService, withStarter } from "../harness/run-programs.ts";
import { seedKeys } from "../harness/seed-keys.ts";
import { seededCount, seedPostgres, seedRedis } from "../harness/seed.ts";
import { median } from "../harness/statistics.ts";
import { findPostgres, findRedis } from "../harness/store-processes.ts";
import { verifyRequest } from "../harness/verify-requests.ts";
import { fillerModule, withChildren } from "../harness/with-children.ts";

const replicaCounts = [1, 2, 4] as const;
type ReplicaCount = (typeof replicaCounts)[number];
const replicasMax = 4;

/** Stores with so little of a core saturate before replicas without limits do. */
const storeShares = { Redis: 0.02, Postgres: 0.05 } as const;
/** Enough requests must wait at each replica that none is idle while the others pause for their limits. */
const connectionsEach = 64;
/** Throughput of several replicas, at least, as a share of that of one times their number. */
const linearMin = 0.9;
/** The machine's speed changes within seconds, so each round is split. */
const roundParts = 4;

/** Running replicas and how to reach some of them. */
interface Path {
  what: string;
  /** Share of a core of each replica. Small enough that four of them, all that they need, and both loads need less than two cores. */
  share: number;
  replicas: readonly StartedService[];
  /** Addresses that lead to the first `count` replicas. */
  urlsOf: (count: ReplicaCount) => readonly string[];
  next: () => Buffer;
  /** A path whose answer needs neither a store nor another service. */
  fillerPath: string;
}

/** The throughput of each round. */
type Rates = Readonly<Record<ReplicaCount, readonly number[]>>;

/** Returns the throughput of the first `count` replicas. */
type Run = (path: Path, count: ReplicaCount, seconds: number) => Promise<number>;

const repeat = async <T>(count: number, create: () => Promise<T>): Promise<T[]> => {
  const all: T[] = [];
  for (let index = 0; index < count; index += 1) all.push(await create());
  return all;
};

const run: Run = async (path, count, seconds) => {
  const urls = path.urlsOf(count);
  const connections = (connectionsEach * count) / urls.length;
  const runs = await Promise.all(
    urls.map((url) => runLoad({ url, connections, next: path.next, accepts: isRight }, seconds)),
  );
  return runs.reduce((sum, one) => sum + one.count / one.seconds, 0);
};

/**
 * Keeps the other replicas busy meanwhile, with requests that need nothing else. So the caches and the units that the cores share are
 * in use with any number of replicas.
 */
const runBesideOthers =
  (filler: Child): Run =>
  async (path, count, seconds) => {
    const urls = path.replicas.slice(count).map(({ url }) => url);
    const fill = { urls, path: path.fillerPath, connections: connectionsEach, seconds };
    const [rate] = await Promise.all([
      run(path, count, seconds),
      filler.call("fill", fill satisfies Filler),
    ]);
    return rate;
  };

/** Runs the numbers of replicas in turn, and every other time backwards, so that other load on the machine affects all. */
const measure = async (
  { options: { warmUpSeconds, roundSeconds, rounds } }: Bench,
  path: Path,
  runOnce: Run,
): Promise<Rates> => {
  const rates: Record<ReplicaCount, number[]> = { 1: [], 2: [], 4: [] };
  for (const count of replicaCounts) await runOnce(path, count, warmUpSeconds);
  for (let round = 0; round < rounds; round += 1)
    for (const count of round % 2 === 0 ? replicaCounts : replicaCounts.toReversed())
      rates[count].push(await runOnce(path, count, roundSeconds));
  return rates;
};

const percent = (share: number): string => `${share * 100} % of a core`;

const rateText = (rate: number): string => `${rate.toFixed(0)}/s`;

/** Also returns the rate of a whole core. `shares` is that of all processes together. */
const rateAndPerCore = (rate: number, shares: number): string =>
  `${rateText(rate)} (${rateText(rate / shares)} per core)`;

/** Returns the throughput divided by that of one replica: the median over the rounds. */
const growthOf = (rates: Rates, count: ReplicaCount): number =>
  median(rates[count].map((rate, round) => rate / (rates[1][round] ?? Number.NaN)));

const linesOf = ({ what, share }: Path, rates: Rates): Line[] =>
  replicaCounts.map((count) => {
    const line = {
      path: `${what}, ${percent(share)} each, replicas: ${count}`,
      ours: rateAndPerCore(median(rates[count]), count * share),
    };
    if (count === 1) return { ...line, floor: "", ratio: "", budget: "-" };
    const growth = growthOf(rates, count);
    const ratio = growth / count;
    return {
      ...line,
      floor: rateText(count * median(rates[1])),
      ratio: ratio.toFixed(2),
      budget: `>= ${linearMin}`,
      met: ratio >= linearMin,
      bar: { kind: "replicas", value: growth, budget: linearMin * count },
    };
  });

interface Tools {
  quotas: CpuQuotas;
  /** The process that keeps replicas busy. */
  filler: Child;
}

/** Measures replicas that are limited to a share of a core each. */
const measureReplicas = async (
  bench: Bench,
  { quotas, filler }: Tools,
  path: Path,
): Promise<Line[]> => {
  // Code is compiled before the limits apply.
  await run(path, replicasMax, bench.options.warmUpSeconds * 5);
  for (const { program } of path.replicas) await quotas.limit([program.pid], path.share);
  try {
    return linesOf(
      path,
      await measure(withManyRounds(bench, roundParts), path, runBesideOthers(filler)),
    );
  } finally {
    await quotas.lift();
  }
};

interface LimitedStore {
  name: keyof typeof storeShares;
  pids: readonly number[] | undefined;
}

const unmeasured = (what: string): Line => ({
  path: what,
  ours: "not measured",
  floor: "",
  ratio: "",
  budget: "-",
});

/** Measures replicas without limits against a store with a share of a core, which is the most that the store can do. */
const measureStore = async (
  bench: Bench,
  { quotas, path, store }: { quotas: CpuQuotas; path: Path; store: LimitedStore },
): Promise<Line[]> => {
  const share = storeShares[store.name];
  const what = `${store.name}, ${percent(share)}: ${path.what}`;
  if (!store.pids) return [unmeasured(what)];
  await quotas.limit(store.pids, share);
  try {
    const rates = await measure(bench, path, run);
    return replicaCounts.map((count) => ({
      path: `${what}, replicas: ${count}`,
      ours: rateAndPerCore(median(rates[count]), share),
      floor: "",
      ratio: "",
      budget: "-",
    }));
  } finally {
    await quotas.lift();
  }
};

const firstOf = (replicas: readonly StartedService[]) => (count: ReplicaCount) =>
  replicas.slice(0, count).map(({ url }) => url);

/** A gateway answers from cookies only after it has read the revocations of the last minutes. */
const awaitCached = async ({ url }: StartedService, next: () => Buffer): Promise<void> => {
  const client = await connectKeepAlive(new URL(url));
  await until(async () => isRight(await client.send(next())), { describe: "a cached answer" });
  client.close();
};

const startGateways = async (start: StartService): Promise<Path> => {
  const identity = await start("identity");
  const replicas = await repeat(replicasMax, () => start("gateway", { identity: [identity.url] }));
  const next = cachedGetSessionRequests();
  for (const replica of replicas) await awaitCached(replica, next);
  return {
    what: "gateway, get-session by a cookie",
    share: 0.1,
    replicas,
    urlsOf: firstOf(replicas),
    next,
    fillerPath: "/api/auth/ok",
  };
};

/** Each gateway calls another number of replicas. The gateways have no limits, and one of them must carry the load of all. */
const startIdentities = async (start: StartService): Promise<Path> => {
  const replicas = await repeat(replicasMax, () => start("identity"));
  const gateways = new Map<ReplicaCount, string>();
  for (const count of replicaCounts) {
    const identity = firstOf(replicas)(count);
    gateways.set(count, (await start("gateway", { identity })).url);
  }
  return {
    what: "identity, get-session",
    share: 0.1,
    replicas,
    urlsOf: (count) => [gateways.get(count) as string], // one for each
    next: getSessionRequests(),
    fillerPath: "/health/live",
  };
};

const startApiKeys = async (start: StartService): Promise<Path> => {
  const replicas = await repeat(replicasMax, () => start("apikey"));
  const next = () => verifyRequest(1 + Math.floor(Math.random() * seededCount));
  return {
    what: "apikey, verify a key",
    share: 0.1,
    replicas,
    urlsOf: firstOf(replicas),
    next,
    fillerPath: "/health/live",
  };
};

const measureAll = async (bench: Bench, tools: Tools, stores: Stores): Promise<Line[]> => {
  await seedPostgres(stores.databaseUrl);
  await seedRedis(stores);
  await seedKeys(stores.databaseUrl, seededCount);
  const redis = { name: "Redis", pids: await findRedis(stores) } as const;
  const postgres = { name: "Postgres", pids: await findPostgres(stores) } as const;
  const ofGateways = await withStarter({ stores, cookieCache: true }, async (start) =>
    measureReplicas(bench, tools, await startGateways(start)),
  );
  const withStore = (startAll: (start: StartService) => Promise<Path>, store: LimitedStore) =>
    withStarter({ stores, cookieCache: false }, async (start) => {
      const path = await startAll(start);
      return [
        ...(await measureReplicas(bench, tools, path)),
        ...(await measureStore(bench, { quotas: tools.quotas, path, store })),
      ];
    });
  return [
    ...ofGateways,
    ...(await withStore(startIdentities, redis)),
    ...(await withStore(startApiKeys, postgres)),
  ];
};

/**
 * Throughput of one, two and four replicas with a share of a core each, and the throughput at which a store with a share of a core
 * saturates. Needs Linux, and an account that may limit processes.
 */
export const scaling: Row = {
  name: "scaling",
  measure: async (bench) => {
    const quotas = await openCpuQuotas();
    if (!quotas) return [unmeasured("replicas: this account cannot limit processes by cgroups")];
    return withChildren({ filler: fillerModule }, ({ filler }) =>
      bench.withStores((stores) => measureAll(bench, { quotas, filler }, stores)),
    );
  },
};
