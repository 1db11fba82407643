import { createLogger, createRedis } from "@latchkey/service-kit";
import { checkQueues } from "./check-queues.ts";
import { fail, type Finding, ok, warn } from "./finding.ts";
import type { Examined } from "./read-examined.ts";
import { runCheck } from "./run-check.ts";

/** Queues need it. */
const versionMin = 5;
const logger = createLogger({ service: "doctor", level: "silent" });

/** What `INFO` says, by name. */
const readInfo = async (url: string): Promise<ReadonlyMap<string, string>> => {
  const redis = createRedis(url, logger);
  let lost: unknown;
  redis.on("error", (error) => {
    lost = error;
  });
  try {
    const lines = (await redis.info()).split("\r\n");
    return new Map(lines.map((line) => line.split(/:(.*)/s, 2) as [string, string]));
  } catch (error) {
    throw lost ?? error; // what the connection says tells more than that the command was given up
  } finally {
    redis.disconnect();
  }
};

const explainInfo = (info: ReadonlyMap<string, string>, address: string): Finding[] => {
  const version = info.get("redis_version") ?? "unknown";
  const policy = info.get("maxmemory_policy") ?? "noeviction";
  if (Number.parseInt(version, 10) < versionMin)
    return [fail("redis", `${version} at ${address}`, `upgrade it to ${versionMin} or newer`)];
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

/** Redis, where one is configured. */
export const checkRedis = async ({ settings, leftOut }: Examined): Promise<Finding[]> => {
  const { redisUrl } = settings.options;
  if (leftOut.has("redisUrl"))
    return [fail("redis", "not checked: its address cannot be used", "mend redisUrl (REDIS_URL)")];
  if (!redisUrl) return [ok("redis", "none configured: Postgres holds sessions and bus")];
  const { host: address } = new URL(redisUrl);
  const server = { what: "Redis", address, option: "REDIS_URL" };
  const found = await runCheck("redis", server, async () =>
    explainInfo(await readInfo(redisUrl), address),
  );
  if (found.some(({ status }) => status === "fail")) return found;
  return [...found, ...(await checkQueues(settings, server))];
};
