import { until } from "../../../libs/testkit/src/until.ts";
import type { Bench } from "../harness/bench.ts";
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

const replicaCounts = [1, 2, 4] as const;
type ReplicaCount = (typeof replicaCounts)[number];
const replicasMax = 4;

/** Stores with so little of a core saturate before replicas without limits do. */
const storeShares = { Redis: 0.02, Postgres: 0.05 } as const;
/** Enough requests must wait at each replica that none is idle while the others pause for their limits. */
const connectionsEach = 64;
/** Throughput of several replicas, at least, as a share of that of one times their number. */
const linearMin = 0.9;

interface Addresses {
  measured: readonly string[];
  others: readonly string[];
}

/** Running replicas and how to reach some of them. */
interface Path {
  what: string;
  /** Share of a core of each replica. Small enough that four of them, all that they need, and the load need less than two cores. */
  share: number;
  replicas: readonly StartedService[];
  /** Addresses that lead to the first replicas, so many, and to the others. */
  urlsOf: (count: ReplicaCount) => Addresses;
  next: () => Buffer;
}

/** The throughput of each round, by the number of replicas. */
type Rates = ReadonlyMap<ReplicaCount, readonly number[]>;

const repeat = async <T>(count: number, create: () => Promise<T>): Promise<T[]> => {
  const all: T[] = [];
  for (let index = 0; index < count; index += 1) all.push(await create());
  return all;
};

type Run = (path: Path, count: ReplicaCount, seconds: number) => Promise<number>;

/** Returns the throughput of so many replicas together. */
const load = async (
  { next }: Path,
  { urls, count }: { urls: readonly string[]; count: number },
  seconds: number,
): Promise<number> => {
  const connections = (connectionsEach * count) / urls.length;
  const runs = await Promise.all(
    urls.map((url) => runLoad({ url, connections, next, accepts: isRight }, seconds)),
  );
  return runs.reduce((sum, one) => sum + one.count / one.seconds, 0);
};

const runAlone: Run = (path, count, seconds) =>
  load(path, { urls: path.urlsOf(count).measured, count }, seconds);

/**
 * Returns the throughput of the first replicas while the others work, too. A process is slower while others use the caches and units
 * that the cores share. So without the others, one replica would be faster here than any of four, unlike on machines of their own.
 */
const runBesideOthers: Run = async (path, count, seconds) => {
  const { others } = path.urlsOf(count);
  const [rate] = await Promise.all([
    runAlone(path, count, seconds),
    load(path, { urls: others, count: replicasMax - count }, seconds),
  ]);
  return rate;
};

/** Runs the numbers of replicas in turn, so that other load on the machine affects all. */
const measure = async (
  { options: { warmUpSeconds, roundSeconds, rounds } }: Bench,
  path: Path,
  run: Run,
): Promise<Rates> => {
  const all = new Map<ReplicaCount, number[]>(replicaCounts.map((count) => [count, []]));
  for (const count of replicaCounts) await run(path, count, warmUpSeconds);
  for (let round = 0; round < rounds; round += 1)
    for (const [count, rates] of all) rates.push(await run(path, count, roundSeconds));
  return all;
};

/** Throughput as a share of that of one replica times their number, in the median round. */
const linearShare = (rates: Rates, count: ReplicaCount): number => {
  const alone = rates.get(1) ?? [];
  return median(
    (rates.get(count) ?? []).map((rate, round) => rate / (count * (alone[round] ?? Number.NaN))),
  );
};

const percent = (share: number): string => `${share * 100} % of a core`;

const rateText = (rate: number): string => `${rate.toFixed(0)}/s`;

/** Also returns the rate of a whole core. `shares` is that of all processes together. */
const rateAndPerCore = (rate: number, shares: number): string =>
  `${rateText(rate)} (${rateText(rate / shares)} per core)`;

const linesOf = ({ what, share }: Path, rates: Rates): Line[] => {
  const one = median(rates.get(1) ?? []);
  const measured = [...rates].map(([count, each]) => ({
    count,
    path: `${what}, ${percent(share)} each, replicas: ${count}`,
    ours: rateAndPerCore(median(each), count * share),
  }));
  return measured.map(({ count, path, ours }) => {
    if (count === 1) return { path, ours, floor: "", ratio: "", budget: "-" };
    const ratio = linearShare(rates, count);
    return {
      path,
      ours,
      floor: rateText(count * one),
      ratio: ratio.toFixed(2),
      budget: `>= ${linearMin}`,
      met: ratio >= linearMin,
      bar: { kind: "replicas", value: ratio * count, budget: linearMin * count },
    };
  });
};

/** Measures replicas that are limited to a share of a core each. */
const measureReplicas = async (bench: Bench, quotas: CpuQuotas, path: Path): Promise<Line[]> => {
  // Code is compiled before the limits apply.
  await runAlone(path, replicasMax, bench.options.warmUpSeconds * 5);
  for (const { program } of path.replicas) await quotas.limit([program.pid], path.share);
  try {
    return linesOf(path, await measure(bench, path, runBesideOthers));
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
    return [...(await measure(bench, path, runAlone))].map(([count, rates]) => ({
      path: `${what}, replicas: ${count}`,
      ours: rateAndPerCore(median(rates), share),
      floor: "",
      ratio: "",
      budget: "-",
    }));
  } finally {
    await quotas.lift();
  }
};

/** Replicas that are reached without a gateway. */
const directly =
  (replicas: readonly StartedService[]) =>
  (count: ReplicaCount): Addresses => {
    const urls = replicas.map(({ url }) => url);
    return { measured: urls.slice(0, count), others: urls.slice(count) };
  };

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
    urlsOf: directly(replicas),
    next,
  };
};

/** Two gateways share the replicas, and each carries the load of all of its own. The gateways have no limits. */
const startIdentities = async (start: StartService): Promise<Path> => {
  const replicas = await repeat(replicasMax, () => start("identity"));
  const gatewayOf = async (identity: readonly string[]): Promise<string[]> =>
    identity.length > 0 ? [(await start("gateway", { identity })).url] : [];
  const addresses = new Map<ReplicaCount, Addresses>();
  for (const count of replicaCounts) {
    const { measured, others } = directly(replicas)(count);
    addresses.set(count, { measured: await gatewayOf(measured), others: await gatewayOf(others) });
  }
  return {
    what: "identity, get-session",
    share: 0.1,
    replicas,
    urlsOf: (count) => addresses.get(count) as Addresses, // of every count
    next: getSessionRequests(),
  };
};

const startApiKeys = async (start: StartService): Promise<Path> => {
  const replicas = await repeat(replicasMax, () => start("apikey"));
  const next = () => verifyRequest(1 + Math.floor(Math.random() * seededCount));
  return { what: "apikey, verify a key", share: 0.1, replicas, urlsOf: directly(replicas), next };
};

const measureAll = async (bench: Bench, quotas: CpuQuotas, stores: Stores): Promise<Line[]> => {
  await seedPostgres(stores.databaseUrl);
  await seedRedis(stores);
  await seedKeys(stores.databaseUrl, seededCount);
  const redis = { name: "Redis", pids: await findRedis(stores) } as const;
  const postgres = { name: "Postgres", pids: await findPostgres(stores) } as const;
  const ofGateways = await withStarter({ stores, cookieCache: true }, async (start) =>
    measureReplicas(bench, quotas, await startGateways(start)),
  );
  const withStore = (startAll: (start: StartService) => Promise<Path>, store: LimitedStore) =>
    withStarter({ stores, cookieCache: false }, async (start) => {
      const path = await startAll(start);
      return [
        ...(await measureReplicas(bench, quotas, path)),
        ...(await measureStore(bench, { quotas, path, store })),
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
    return bench.withStores((stores) => measureAll(bench, quotas, stores));
  },
};
