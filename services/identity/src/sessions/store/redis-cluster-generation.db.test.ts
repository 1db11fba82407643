import {
  createLogger,
  createRedis,
  isRedisCluster,
  isUnavailable,
  type RedisClient,
} from "@latchkey/service-kit";
import { type RedisClusterServers, startRedisCluster, until } from "@latchkey/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ofOneGeneration } from "./of-one-generation.ts";
import { createClusterGeneration } from "./redis-cluster-generation.ts";
import { createRedisGeneration } from "./redis-generation.ts";
import type { SessionStore } from "./session-store.ts";
import { untilGeneration } from "./until-generation.ts";

const logger = createLogger({ service: "test", level: "silent" });
const clients: RedisClient[] = [];
let servers: RedisClusterServers;
beforeAll(async () => {
  servers = await startRedisCluster();
});
afterAll(async () => {
  for (const client of clients) client.disconnect();
  await servers.stop();
});

const open = () => {
  const redis = createRedis(servers.url, logger);
  clients.push(redis);
  if (!isRedisCluster(redis)) throw new Error("no cluster");
  return redis;
};

/** A client that is cut off must stop using a name that the others have abandoned. */
test("uses a name from two seconds after it was found until two seconds after it was last confirmed", async () => {
  const step = 40;
  const lease = 2_000;
  let now = 0;
  const name = createClusterGeneration(open(), () => now);
  const isKnown = () => {
    now += step;
    try {
      return name() !== "";
    } catch {
      return false;
    }
  };
  await until(isKnown);
  expect(now).toBeGreaterThan(lease);
  // While all masters respond, the name is confirmed repeatedly, so it is valid for longer than one response.
  const known: boolean[] = [];
  await until(() => known.push(isKnown()) * step > 1.5 * lease);
  expect(known).not.toContain(false);
  const pid = servers.masters[0]?.pid ?? 0;
  process.kill(pid, "SIGSTOP");
  const stoppedAt = now;
  await until(() => !isKnown());
  expect(name).toThrow("not known");
  expect(now - stoppedAt).toBeLessThanOrEqual(lease + step);
  process.kill(pid, "SIGCONT");
  await until(name);
});

/** A master that returns from a snapshot must not bring back sessions that were revoked since. */
test("gives every client the same name for a cluster, none while a master is down, and a new one when it is back", async () => {
  const [one, other] = [createRedisGeneration(open()), createRedisGeneration(open())];
  expect(one).toThrow("not known");
  await Promise.all([one, other].map(untilGeneration));
  const before = one();
  expect(other()).toBe(before);
  await servers.masters[1]?.kill();
  await until(() => {
    try {
      return one() === "";
    } catch (error) {
      return isUnavailable(error);
    }
  });
  await servers.masters[1]?.restart();
  await servers.untilServing();
  const after = await until(() => one() === other() && one(), { timeoutMs: 20_000 });
  expect(after).not.toBe(before);
});

test("fails a call that began under one name and ended under another", async () => {
  const names = ["first", "first", "first", "second"];
  const store = ofOneGeneration(
    { find: async () => undefined } as unknown as SessionStore,
    () => names.shift() ?? "",
  );
  expect(await store.find(Buffer.of())).toBeUndefined();
  await expect(store.find(Buffer.of())).rejects.toThrow("not known");
});
