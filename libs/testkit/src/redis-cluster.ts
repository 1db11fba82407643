import { Redis } from "ioredis";
import { freePort } from "@latchkey/embedded-postgres";
import { type RedisServer, startRedisServer } from "./redis-server.ts";
import { until } from "./until.ts";

export type RedisClusterServers = {
  /** `redis-cluster://` with every master. */
  url: string;
  /** The masters, each with a third of the slots and without replicas. A master that was killed restarts empty. */
  masters: readonly RedisServer[];
  /** Returns the master of a slot. */
  masterOf(slot: number): RedisServer;
  /** Resolves when every master reports that all slots are served. */
  untilServing(): Promise<void>;
  stop(): Promise<void>;
};

type Member = { server: RedisServer; busPort: number };

const size = 3;
const slots = 16_384;
const share = Math.ceil(slots / size);
const startAttempts = 3;
const servingMs = 90_000;

/** Starts a Redis Cluster of three `redis-server` from PATH on 127.0.0.1. It ends with this process. */
export async function startRedisCluster(): Promise<RedisClusterServers> {
  const started = await Promise.allSettled(Array.from({ length: size }, () => startMember()));
  const members = started.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const stop = async () => {
    await Promise.all(members.map(({ server }) => server.stop()));
  };
  const untilServing = () =>
    until(async () => (await Promise.all(members.map(serves))).every(Boolean), {
      timeoutMs: servingMs,
      describe: "the cluster",
    }).then(() => undefined);
  try {
    for (const one of started) if (one.status === "rejected") throw one.reason;
    await join(members);
    await untilServing();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url: `redis-cluster://${members.map(({ server }) => `127.0.0.1:${server.port}`).join(",")}`,
    masters: members.map(({ server }) => server),
    masterOf: (slot) => {
      const member = members[Math.floor(slot / share)];
      if (member === undefined) throw new Error(`No master has slot ${slot}`);
      return member.server;
    },
    untilServing,
    stop,
  };
}

/** The port of the cluster bus is chosen here, and another process may take it first. */
async function startMember(attempt = 1): Promise<Member> {
  const busPort = await freePort();
  const args = ["--cluster-enabled", "yes", "--cluster-port", String(busPort)];
  try {
    const server = await startRedisServer({ args: [...args, "--cluster-node-timeout", "1000"] });
    return { server, busPort };
  } catch (error) {
    if (attempt === startAttempts) throw error;
    return startMember(attempt + 1);
  }
}

/** Each member has its own epoch from the start. Otherwise members would resolve conflicts while tests run. */
async function join(members: readonly Member[]): Promise<void> {
  for (const [index, member] of members.entries())
    await withRedis(member, async (redis) => {
      await redis.cluster("SET-CONFIG-EPOCH", index + 1);
      const last = Math.min((index + 1) * share, slots) - 1;
      await redis.cluster("ADDSLOTSRANGE", index * share, last);
    });
  const [first, ...others] = members;
  if (first === undefined) return;
  await withRedis(first, async (redis) => {
    for (const { server, busPort } of others)
      await redis.call("CLUSTER", "MEET", "127.0.0.1", server.port, busPort);
  });
}

const serves = (member: Member): Promise<boolean> =>
  withRedis(member, async (redis) => {
    const info = await redis.cluster("INFO");
    return info.includes("cluster_state:ok") && info.includes(`cluster_size:${size}\r`);
  });

async function withRedis<T>({ server }: Member, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(server.url, { lazyConnect: true, retryStrategy: () => null });
  redis.on("error", () => undefined); // commands reject instead
  try {
    await redis.connect();
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}
