import { type Options, readRedisCluster, redisHosts } from "@latchkey/contracts";
import { createRedis, isRedisCluster, pingRedis } from "@latchkey/service-kit/database";
import { createLogger } from "@latchkey/service-kit/observe";
import type { Server } from "./explain-error.ts";
import { checkQueues } from "./check-queues.ts";
import { fail, type Finding, ok, warn } from "./finding.ts";
import type { Examined } from "./read-examined.ts";
import { runCheck } from "./run-check.ts";

/** Sessions need it for `ZADD` with `GT`. */
const versionMin = [6, 2] as const;
const logger = createLogger({ service: "doctor", level: "silent" });

/** The fields of `INFO` by name. */
type Info = ReadonlyMap<string, string>;

const parseInfo = (text: string): Info =>
  new Map(text.split("\r\n").map((line) => line.split(/:(.*)/s, 2) as [string, string]));

/** Reads `INFO` of a single server, or of every master of a cluster. */
const readInfos = async (url: string): Promise<{ info: Info; address: string }[]> => {
  const redis = createRedis(url, logger);
  let lost: unknown;
  const recordError = (error: unknown) => {
    lost = error;
  };
  try {
    if (!isRedisCluster(redis)) {
      redis.on("error", recordError);
      return [{ info: parseInfo(await redis.info()), address: redisHosts(url) }];
    }
    redis.on("node error", recordError);
    await pingRedis(redis);
    return await Promise.all(
      redis.nodes("master").map(async (server) => ({
        info: parseInfo(await server.info()),
        address: `${server.options.host}:${server.options.port}`,
      })),
    );
  } catch (error) {
    throw lost ?? error; // the connection's error says more than the command's timeout
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
          "appendonly is off: a restart loses the latest sessions, revocations and messages",
          "set appendonly yes, and appendfsync always if sessions are only in Redis",
        )
      : ok("redis persistence", "appendonly is on"),
    policy === "noeviction"
      ? ok("redis memory", "maxmemory-policy noeviction")
      : warn(
          "redis memory",
          `maxmemory-policy ${policy}: when memory is full, sessions and messages are evicted`,
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
  const findings = infos.flatMap(({ info, address }) => explainInfo(info, address));
  // Findings that are equal for several servers are reported once.
  return [...new Map(findings.map((one) => [`${one.check} ${one.detail}`, one])).values()];
};

const serverAt = (redisUrl: string): Server => ({
  what: "Redis",
  address: redisHosts(redisUrl),
  option: "REDIS_URL",
});

/** Checks that Redis answers and is suitable, if one is configured. */
export const checkRedisServer = async ({
  redisUrl,
}: Pick<Options, "redisUrl">): Promise<Finding[]> =>
  redisUrl ? runCheck("redis", serverAt(redisUrl), () => explainInfos(redisUrl)) : [];

/** Checks Redis and its contents, if one is configured. */
export const checkRedis = async ({ settings, leftOut }: Examined): Promise<Finding[]> => {
  const { redisUrl } = settings.options;
  if (leftOut.has("redisUrl"))
    return [fail("redis", "not checked: its address is invalid", "fix redisUrl (REDIS_URL)")];
  if (!redisUrl) return [ok("redis", "none configured: Postgres holds sessions and bus")];
  const findings = await checkRedisServer(settings.options);
  if (findings.some(({ status }) => status === "fail")) return findings;
  return [...findings, ...(await checkQueues(settings, serverAt(redisUrl)))];
};
