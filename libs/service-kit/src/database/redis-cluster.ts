import type { RedisCluster as ClusterAddress } from "@latchkey/contracts";
import { Cluster, type Command } from "ioredis";

export interface RedisClusterOptions {
  /** Deadline of a command from its call. Without it, a command waits as long as the cluster is unavailable. */
  commandMilliseconds?: number;
  /** Returns the milliseconds until the next attempt to connect to a lost cluster, or null to give up. */
  retryStrategy: (attempt: number) => number | null;
}

const connectMilliseconds = 2_000;
const refreshMilliseconds = 2_000;
/** With about 100 ms between attempts, commands for an unavailable server fail within about a second. */
const redirectionsMax = 8;

const closing: ReadonlySet<string> = new Set(["disconnecting", "close", "end"]);

/**
 * Lets a client end. The callback of each refresh of the slots starts the timer of the next one. If the client was disconnected during a
 * refresh, it would refresh for ever.
 */
const endingRefreshes = <Client extends Cluster>(client: Client): Client => {
  const refresh = client.refreshSlotsCache.bind(client);
  client.refreshSlotsCache = (callback) =>
    refresh(
      callback &&
        ((...given) => {
          if (!closing.has(client.status)) callback(...given);
        }),
    );
  return client;
};

/**
 * Gives each command its own deadline, because the deadline of the server connections does not count while a command waits for
 * the cluster. A retried command keeps its remaining time.
 */
class TimedCluster extends Cluster {
  commandMilliseconds: number | undefined;

  override sendCommand(
    command: Command,
    stream?: Parameters<Cluster["sendCommand"]>[1],
    node?: unknown,
  ): unknown {
    if (this.commandMilliseconds !== undefined) command.setTimeout(this.commandMilliseconds);
    return super.sendCommand(command, stream, node);
  }

  /** A worker of the bus waits for messages on a duplicate. */
  override duplicate(...given: Parameters<Cluster["duplicate"]>): Cluster {
    return endingRefreshes(super.duplicate(...given));
  }
}

/**
 * Creates a client of a Redis Cluster. Automatic pipelining stays off: the commands of a pipeline fail together if their slots
 * are separated, and the rest of a partly executed pipeline is not redirected.
 */
export const connectRedisCluster = (
  { nodes, tls, username, password }: ClusterAddress,
  { commandMilliseconds, retryStrategy }: RedisClusterOptions,
): Cluster => {
  const cluster = endingRefreshes(
    new TimedCluster(nodes, {
      lazyConnect: true,
      clusterRetryStrategy: retryStrategy,
      // Each connection resolves its own host name, so that certificates are checked against it.
      dnsLookup: (name, done) => done(null, name),
      slotsRefreshTimeout: connectMilliseconds,
      slotsRefreshInterval: refreshMilliseconds,
      maxRedirections: redirectionsMax,
      redisOptions: {
        connectTimeout: connectMilliseconds,
        ...(username ? { username } : {}),
        ...(password ? { password } : {}),
        ...(tls ? { tls: {} } : {}),
      },
    }),
  );
  cluster.commandMilliseconds = commandMilliseconds;
  cluster.connect().catch(() => {}); // it retries by itself and emits events
  return cluster;
};
