import {
  expectNoLeaks,
  type RedisClusterServers,
  startRedisCluster,
  until,
} from "@latchkey/testkit";
import { setTimeout as delay } from "node:timers/promises";
import type { Cluster } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createBullmqBus } from "../bus/bullmq-bus.ts";
import type { Bus } from "../bus/bus.ts";
import { isUnavailable } from "../http/unavailable.ts";
import { createLogger } from "../observe/logger.ts";
import { createRedis, pingRedis, type RedisClient } from "./redis.ts";

expectNoLeaks("file");

const logger = createLogger({ service: "test", level: "silent" });
const queue = "letters";
let servers: RedisClusterServers;
let redis: RedisClient;
let bus: Bus;
const got: string[] = [];

beforeAll(async () => {
  servers = await startRedisCluster();
  redis = createRedis(servers.url, logger);
  bus = createBullmqBus({
    backend: { kind: "redis", url: servers.url },
    logger,
    attemptsMax: 20,
    backoff: { baseMilliseconds: 10, maxMilliseconds: 50 },
    lockMilliseconds: 500,
    stalledMilliseconds: 200,
    lookMilliseconds: 2_000,
  });
  bus.consume(queue, async ({ id }) => void got.push(id), { concurrency: 4, attemptsMax: 20 });
});
afterAll(async () => {
  await bus.close();
  redis.disconnect();
  await servers.stop();
});

const keys = Array.from({ length: 32 }, (_, index) => `key ${index}`);
const publish = (...ids: string[]) =>
  bus.publish(
    queue,
    ids.map((id) => ({ id, name: "letter", data: {} })),
  );
const untilGot = (...ids: string[]) =>
  until(() => ids.every((id) => got.includes(id)), { timeoutMs: 120_000 });
const writeAll = () => Promise.allSettled(keys.map((key) => redis.set(key, "1")));
const untilWritten = () =>
  until(async () => (await writeAll()).every(({ status }) => status === "fulfilled"), {
    timeoutMs: 120_000,
    describe: "every key",
  });
/** Returns the master that holds a key. */
const masterOf = async (key: string) =>
  servers.masterOf(Number(await redis.call("CLUSTER", "KEYSLOT", key)));

test("sends commands and scripts to the servers of their keys", async () => {
  await untilWritten();
  redis.defineCommand("renamed", { numberOfKeys: 1, lua: "return redis.call('GET', KEYS[1])" });
  const scripted = redis as RedisClient & { renamed(key: string): Promise<string> };
  const replies = await Promise.all(keys.map((key) => scripted.renamed(key)));
  expect(replies).toEqual(keys.map(() => "1"));
  const owners = await Promise.all(keys.map(masterOf));
  expect(new Set(owners).size).toBe(3);
});

test("publishes, delivers and counts messages, and lists, retries and discards failed ones", async () => {
  await publish("one", "two", "three");
  await untilGot("one", "two", "three");
  const fails = bus.consume("refused", () => Promise.reject(new Error("no")), {
    concurrency: 1,
    attemptsMax: 1,
  });
  await bus.publish("refused", [
    { id: "a", name: "letter", data: {} },
    { id: "b", name: "letter", data: {} },
  ]);
  const listed = await until(async () => {
    const failed = await bus.failed("refused", { limit: 10 });
    return failed.length === 2 ? failed : undefined;
  });
  expect(listed.map(({ id }) => id).toSorted()).toEqual(["a", "b"]);
  await fails.stop();
  expect(await bus.discard("refused", "a")).toBe(true);
  expect(await bus.retry("refused", "b")).toBe(true);
  expect(await bus.counts("refused")).toMatchObject({ waiting: 1, failed: 0 });
});

test("a client that is disconnected during a refresh of its slots refreshes no more", async () => {
  let refreshes = 0;
  const open = (client: Cluster): Cluster => {
    client.options.slotsRefreshInterval = 1; // so that one is nearly always under way
    const refresh = client.refreshSlotsCache.bind(client);
    client.refreshSlotsCache = (callback) => {
      refreshes += 1;
      refresh(callback);
    };
    return client;
  };
  const clients = Array.from({ length: 8 }, () => {
    const client = open(createRedis(servers.url, logger) as Cluster);
    return [client, open(client.duplicate())];
  }).flat();
  for (const client of clients) await client.call("PING");
  await until(() => refreshes > 10 * clients.length);
  for (const client of clients) client.disconnect();
  await until(() => clients.every(({ status }) => status === "close" || status === "end"));
  const before = refreshes;
  await delay(100);
  expect(refreshes).toBe(before);
});

describe("when a master is killed", () => {
  const broken = async () => {
    const results = await writeAll();
    return results.flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
  };

  test("commands fail as unavailable, health reports it, and both recover", async () => {
    const bussed = await masterOf("{latchkey}");
    const other = servers.masters.find((master) => master !== bussed);
    await other?.kill();
    const reasons = await until(async () => {
      const failures = await broken();
      return failures.length > 0 ? failures : undefined;
    });
    expect(reasons.filter((reason) => !isUnavailable(reason))).toEqual([]);
    const refusal = await until(() =>
      pingRedis(redis).then(
        () => undefined,
        (error: unknown) => error,
      ),
    );
    expect(isUnavailable(refusal)).toBe(true);
    await other?.restart();
    await servers.untilServing();
    await untilWritten();
    await pingRedis(redis);
    await until(() => publish("after").then(() => true));
    await untilGot("after");
  });

  test("publishing fails, and workers recover", async () => {
    const bussed = await masterOf("{latchkey}");
    await bussed.kill();
    const failures = await Promise.allSettled([publish("lost"), bus.ping()]);
    expect(failures.map((one) => one.status === "rejected" && isUnavailable(one.reason))).toEqual([
      true,
      true,
    ]);
    await bussed.restart();
    await servers.untilServing();
    await until(() => publish("found").then(() => true), { timeoutMs: 120_000 });
    await untilGot("found");
  });
});
