import { randomBytes } from "node:crypto";
import { readRedisCluster, type RedisCluster, redisHosts } from "@latchkey/contracts";
import { Cluster, Redis } from "ioredis";

export type TestRedis = {
  url: string;
  /** Ends with a colon; unique to this call. */
  keyPrefix: string;
  /** Adds no prefix: write keys in full. */
  client: Cluster | Redis;
  /** One server, or the masters of a cluster. */
  servers(): Redis[];
  /** Returns every matching key, on whichever master it is stored. */
  keys(pattern: string): Promise<string[]>;
  /** Deletes every key whose name contains the prefix, and disconnects. */
  close(): Promise<void>;
};

/** Reserves a key prefix for a test file on a shared Redis. */
export async function createTestRedis(baseUrl: string): Promise<TestRedis> {
  const keyPrefix = `test-${randomBytes(8).toString("hex")}:`;
  const client = await connect(baseUrl);
  const servers = () => (client instanceof Cluster ? client.nodes("master") : [client]);
  return {
    url: baseUrl,
    keyPrefix,
    client,
    servers,
    keys: async (pattern) =>
      (await Promise.all(servers().map((server) => server.keys(pattern)))).flat(),
    async close() {
      for (const server of servers())
        for await (const keys of server.scanStream({ match: `*${keyPrefix}*`, count: 1000 }))
          // The keys of one cluster node belong to many slots, so each is deleted by its own command.
          await Promise.all(keys.map((key: string) => server.unlink(key)));
      await client.quit();
    },
  };
}

async function connect(url: string): Promise<Cluster | Redis> {
  const cluster = readRedisCluster(url);
  const client = cluster
    ? new Cluster(cluster.nodes, { lazyConnect: true, redisOptions: optionsOf(cluster) })
    : new Redis(url, { lazyConnect: true });
  let failure: unknown;
  client.on("error", (error) => {
    failure = error;
  });
  await client.connect().catch((cause: unknown) => {
    client.disconnect();
    throw new Error(`No Redis at ${redisHosts(url)}: ${String(failure)}`, { cause });
  });
  return client;
}

const optionsOf = ({ tls, username, password }: RedisCluster) => ({
  ...(tls ? { tls: {} } : {}),
  ...(username ? { username } : {}),
  ...(password ? { password } : {}),
});
