import type { RedisCluster as ClusterAddress } from "@latchkey/contracts";
import { Cluster, type Command } from "ioredis";

export interface RedisClusterOptions {
  /** How long a command may take, from when it is given; without it, as long as the cluster is away. */
  commandMilliseconds?: number;
  /** Milliseconds until a lost cluster is looked for again; null gives it up. */
  retryStrategy: (attempt: number) => number | null;
}

const connectMilliseconds = 2_000;
const refreshMilliseconds = 2_000;
/** Some a tenth of a second apart, where a server is away: what it should do fails within about a second. */
const redirectionsMax = 8;

/** The event of a client whose command was sent elsewhere by a server: slots have moved. */
export const movedEvent = "moved";

/**
 * A deadline of the connections to the servers does not count while a command waits for the cluster, so each command gets its
 * own. One that is tried again keeps what it has.
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

  override handleError(...given: Parameters<Cluster["handleError"]>): void {
    if (given[0].message.startsWith("MOVED ")) this.emit(movedEvent);
    super.handleError(...given);
  }
}

/**
 * A client of a Redis Cluster. Commands are not gathered into pipelines: those of one pipeline fail together when their slots
 * part, and of one that was half done the rest is not sent on.
 */
export const connectRedisCluster = (
  { nodes, tls, username, password }: ClusterAddress,
  { commandMilliseconds, retryStrategy }: RedisClusterOptions,
): Cluster => {
  const cluster = new TimedCluster(nodes, {
    lazyConnect: true,
    clusterRetryStrategy: retryStrategy,
    // Names are left to each connection, so that certificates are checked against them.
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
  });
  cluster.commandMilliseconds = commandMilliseconds;
  cluster.connect().catch(() => {}); // it is tried again, and events tell of it
  return cluster;
};
