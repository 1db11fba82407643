import { expect, test } from "vitest";
import { readRedisCluster, redisHosts, redisUrlOption } from "./redis-url.ts";

test("a cluster URL names some servers, the credentials, and whether to use TLS", () => {
  expect(readRedisCluster("redis-cluster://a:7000,b,[::1]:7002")).toEqual({
    tls: false,
    hosts: "a:7000,b,[::1]:7002",
    nodes: [
      { host: "a", port: 7000 },
      { host: "b", port: 6379 },
      { host: "::1", port: 7002 },
    ],
    username: "",
    password: "",
  });
  expect(readRedisCluster("rediss-cluster://me:p%40ss@a:1,b:2/")).toMatchObject({
    tls: true,
    hosts: "a:1,b:2",
    username: "me",
    password: "p@ss",
  });
});

test.each([
  "redis-cluster://",
  "redis-cluster://a:1,",
  "redis-cluster://a:1,,b:2",
  "redis-cluster://a:99999",
  // A cluster has only one database.
  "redis-cluster://a:1/2",
  "redis-cluster://a:1?family=6",
  "redis-cluster://me:%ff@a:1",
  "http://a:1",
  "a:1",
])("%s is not a Redis URL", (url) => {
  expect([readRedisCluster(url), redisUrlOption.safeParse(url).success]).toEqual([
    undefined,
    false,
  ]);
});

test.each([
  ["redis://:word@one.example:6380/3", "one.example:6380"],
  ["rediss-cluster://me:word@a:1,b:2", "a:1,b:2"],
])("shows the hosts of %s without credentials", (url, hosts) => {
  expect([redisUrlOption.parse(url), redisHosts(url)]).toEqual([url, hosts]);
});
