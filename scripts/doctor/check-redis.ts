import { readRedisCluster, redisHosts } from "@latchkey/contracts";
import { createLogger, createRedis, isRedisCluster, pingRedis } from "@latchkey/service-kit";
import { checkQueues } from "./check-queues.ts";
import { fail, type Finding, ok, warn } from "./finding.ts";
import type { Examined } from "./read-examined.ts";
import { runCheck } from "./run-check.ts";

/** Sessions need it: `ZADD` with `GT`. */
const versionMin = [6, 2] as const;
const logger = createLogger({ service: "doctor", level: "silent" });

/** What `INFO` says, by name. */
type Info = ReadonlyMap<string, string>;

const parseInfo = (text: string): Info =>
  new Map(text.split("\r\n").map((line) => line.split(/:(.*)/s, 2) as [string, string]));

/** A server that speaks for itself, or every master of a cluster. */
const readInfos = async (url: string): Promise<{ info: Info; address: string }[]> => {
  const redis = createRedis(url, logger);
  let lost: unknown;
  const note = (error: unknown) => {
    lost = error;
  };
  try {
    if (!isRedisCluster(redis)) {
      redis.on("error", note);
      return [{ info: parseInfo(await redis.info()), address: redisHosts(url) }];
    }
    redis.on("node error", note);
    await pingRedis(redis);
    return await Promise.all(
      redis.nodes("master").map(async (server) => ({
        info: parseInfo(await server.info()),
        address: `${server.options.host}:${server.options.port}`,
      })),
    );
  } catch (error) {
    throw lost ?? error; // what the connection says tells more than that the command was given up
  } finally {
    redis.disconnect();
  }
};

const isTooOld = (version: string): boolean => {
  const [majorMin, minorMin] = versionMin;
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major < majorMin || (major === majorMin && minor < minorMin);
};

export const explainInfo = (info: Info, address: string): Finding[] => {
  const version = info.get("redis_version") ?? "unknown";
  const policy = info.get("maxmemory_policy") ?? "noeviction";
  if (isTooOld(version))
    return [
      fail("redis", `${version} at ${address}`, `upgrade it to ${versionMin.join(".")} or newer`),
    ];
  if (info.get("role") === "slave")
    return [fail("redis", `${address} is a read-only replica`, "name its primary in REDIS_URL")];
  return [
    ok("redis", `${version} at ${address}`),
    info.get("aof_enabled") === "0"
      ? warn(
          "redis persistence",
          "appendonly is off: a restart forgets the last sessions, revocations and messages",
          "set appendonly yes, and appendfsync always where sessions are in Redis alone",
        )
      : ok("redis persistence", "appendonly is on"),
    policy === "noeviction"
      ? ok("redis memory", "maxmemory-policy noeviction")
      : warn(
          "redis memory",
          `maxmemory-policy ${policy}: when memory is short, sessions and messages are thrown away`,
          "set maxmemory-policy noeviction",
        ),
  ];
};

const isOfCluster = (info: Info): boolean => info.get("cluster_enabled") === "1";

const explainInfos = async (url: string): Promise<Finding[]> => {
  const infos = await readInfos(url);
  const [only] = infos;
  if (only && !readRedisCluster(url) && isOfCluster(only.info))
    return [
      fail(
        "redis",
        `${only.address} is one server of a cluster`,
        "write redis-cluster:// for redis:// in REDIS_URL",
      ),
    ];
  const found = infos.flatMap(({ info, address }) => explainInfo(info, address));
  // What is the same of several is said once.
  return [...new Map(found.map((one) => [`${one.check} ${one.detail}`, one])).values()];
};

/** Redis, where one is configured. */
export const checkRedis = async ({ settings, leftOut }: Examined): Promise<Finding[]> => {
  const { redisUrl } = settings.options;
  if (leftOut.has("redisUrl"))
    return [fail("redis", "not checked: its address cannot be used", "mend redisUrl (REDIS_URL)")];
  if (!redisUrl) return [ok("redis", "none configured: Postgres holds sessions and bus")];
  const address = redisHosts(redisUrl);
  const server = { what: "Redis", address, option: "REDIS_URL" };
  const found = await runCheck("redis", server, () => explainInfos(redisUrl));
  if (found.some(({ status }) => status === "fail")) return found;
  return [...found, ...(await checkQueues(settings, server))];
};
