import { until } from "../../../../libs/testkit/src/until.ts";
import { queryDatabase, takeCensus } from "../system/census.ts";
import { type System, withSystem } from "../system/open-system.ts";
import { formatColumns, type Verdict } from "../report/verdict.ts";
import { connectPipelined, type PipelinedClient } from "../wire/pipelined-client.ts";
import { floodAddress } from "./flood-address.ts";
import { type FloodOptions, type Flooded, type Mark, rule } from "./flooded.ts";
import { judgeFlood } from "./judge-flood.ts";
import { storeCpuSeconds } from "./store-cpu.ts";

const connections = 8;
const depth = 16;
const batch = connections * depth;
const stretches = 10;
const warmUp = 2_000;
const firstWarmUpIndex = 15_000_000;
const sweepMs = 600_000;

const requestFrom = (address: string): string =>
  `GET /api/auth/ok HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: ${address}\r\n\r\n`;

const sendFrom = async (client: PipelinedClient, addresses: readonly string[]) => {
  const bytes = Buffer.from(addresses.map(requestFrom).join(""));
  return (await client.send(bytes, addresses.length)).map(({ status }) => status);
};

/** Sends `count` requests and returns how many are allowed. `addressOf` chooses the address within one network. */
const letIn = async (client: PipelinedClient, addressOf: (n: number) => string, count: number) => {
  const statuses = await sendFrom(
    client,
    Array.from({ length: count }, (_, number) => addressOf(number)),
  );
  return statuses.filter((status) => status === 200).length;
};

const spent = () => "203.0.113.7";
const thrifty = () => "203.0.113.8";
const ofNetwork = (number: number) => `2001:db8:ffff:1::${(number + 1).toString(16)}`;

/** Sends one request from each address, over all connections in parallel. */
const sendOnceFromEach = async (clients: readonly PipelinedClient[], from: number, to: number) => {
  const statuses: number[] = [];
  let next = from;
  const drive = async (client: PipelinedClient) => {
    while (next < to) {
      const begin = next;
      next = Math.min(to, next + depth);
      const addresses = Array.from({ length: next - begin }, (_, n) => floodAddress(begin + n));
      statuses.push(...(await sendFrom(client, addresses)));
    }
  };
  await Promise.all(clients.map(drive));
  return statuses;
};

const takeMark = async (system: System, { storage }: FloodOptions, addresses: number) => {
  const [gateway] = system.processes;
  if (!gateway) throw new Error("no gateway");
  const { cpuSeconds, heapMegabytes, residentMegabytes } = await gateway.measure();
  const store = await storeCpuSeconds(system.stores, storage);
  return { addresses, cpuSeconds, heapMegabytes, residentMegabytes, storeCpuSeconds: store };
};

/** Expires every window, then sends one request a second until the rows are deleted. Returns the number of rows left. */
const sweepRows = async ({ stores }: System, client: PipelinedClient): Promise<number> => {
  await queryDatabase(stores, "update gateway.rate_limit set window_ends_at = 1");
  const countRows = async () => {
    const rows = await queryDatabase<{ count: number }>(
      stores,
      "select count(*)::integer as count from gateway.rate_limit where window_ends_at = 1",
    );
    return rows[0]?.count ?? 0;
  };
  await until(
    async () => {
      await sendFrom(client, [floodAddress(firstWarmUpIndex)]);
      return (await countRows()) === 0;
    },
    { timeoutMs: sweepMs, intervalMs: 1_000, describe: "a sweep of all rows" },
  ).catch(() => {});
  return countRows();
};

const formatMarks = (marks: readonly Mark[]): string => {
  const micro = (seconds: number, count: number) => ((seconds / count) * 1e6).toFixed(0);
  return formatColumns([
    ["addresses", "gateway CPU us/decision", "store CPU us/decision", "heap MB", "resident MB"],
    ...marks.slice(1).map((mark, index) => {
      const before = marks[index] as Mark; // the list begins one earlier
      const count = mark.addresses - before.addresses;
      return [
        String(mark.addresses),
        micro(mark.cpuSeconds - before.cpuSeconds, count),
        micro(mark.storeCpuSeconds - before.storeCpuSeconds, count),
        mark.heapMegabytes.toFixed(1),
        mark.residentMegabytes.toFixed(0),
      ];
    }),
  ]);
};

const flood = async (system: System, options: FloodOptions): Promise<Flooded> => {
  const { addresses, storage, judgesCost } = options;
  const clients = await Promise.all(
    Array.from({ length: connections }, () => connectPipelined(system.origin)),
  );
  const first = clients[0] as PipelinedClient; // there are eight
  try {
    await sendOnceFromEach(clients, firstWarmUpIndex, firstWarmUpIndex + warmUp);
    const probes = { spentLetIn: 0, spentAsked: 0, networkLetIn: 0, thriftyLetIn: 0 };
    const before = [await letIn(first, spent, rule.max), await letIn(first, ofNetwork, rule.max)];
    if (before.some((count) => count !== rule.max))
      throw new Error(`allowed at first: ${before.join(", ")}`);
    const marks = [await takeMark(system, options, 0)];
    const counts = new Map<number, number>();
    const rounds = Math.max(stretches, Math.ceil(addresses / (batch * 8)));
    for (let round = 0; round < rounds; round += 1) {
      const from = Math.floor((addresses * round) / rounds);
      const to = Math.floor((addresses * (round + 1)) / rounds);
      for (const status of await sendOnceFromEach(clients, from, to))
        counts.set(status, (counts.get(status) ?? 0) + 1);
      probes.spentLetIn += await letIn(first, spent, 1);
      probes.spentAsked += 1;
      probes.networkLetIn += await letIn(first, (n) => ofNetwork(round + 1_000 + n), 1);
      probes.thriftyLetIn += await letIn(first, thrifty, Math.ceil((2 * rule.max) / rounds));
      const stretch = Math.floor((stretches * (round + 1)) / rounds);
      if (stretch > Math.floor((stretches * round) / rounds))
        marks.push(await takeMark(system, options, to));
    }
    options.say(formatMarks(marks));
    const { immortal } = await takeCensus(system.stores);
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    const [yes, no] = [counts.get(200) ?? 0, counts.get(429) ?? 0];
    return {
      addresses,
      storage,
      judgesCost,
      marks,
      letIn: yes,
      refused: no,
      other: total - yes - no,
      probes,
      fellBack: system.processes.some(({ log }) =>
        log().some((line) => line.includes("failed to reach the store of rate limits")),
      ),
      immortalKeys: immortal.length,
      rowsLeft: storage === "database" ? await sweepRows(system, first) : 0,
    };
  } finally {
    for (const client of clients) client.close();
  }
};

/** Sends one request from each of many client addresses, and in between requests from addresses whose limit is known. */
export const runFlood = (options: FloodOptions): Promise<Verdict[]> =>
  withSystem(
    {
      servers: options.servers,
      where: options.storage === "secondary-storage" ? "redis" : "postgres",
      config: {
        rateLimit: { enabled: true, storage: options.storage, ...rule },
        trustedProxies: ["127.0.0.1"],
      },
      // `/ok` is answered by the gateway alone.
      absent: ["identity", "organization", "apikey", "mailer"],
    },
    async (system) => judgeFlood(await flood(system, options)),
  );
