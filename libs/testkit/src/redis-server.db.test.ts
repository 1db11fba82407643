import { Redis } from "ioredis";
import { afterEach, expect, test } from "vitest";
import { type RedisServer, startRedisServer } from "./redis-server.ts";

let server: RedisServer | undefined;
let client: Redis | undefined;

afterEach(async () => {
  client?.disconnect();
  await server?.stop();
});

test("after a kill and a restart it answers on the same port, and unsaved data is lost", async () => {
  server = await startRedisServer();
  client = connect(server.url);
  await client.set("kept", "no");
  const { pid } = server;
  await server.kill();
  await server.restart();
  expect(server.pid).not.toBe(pid);
  expect(await client.get("kept")).toBeNull();
});

test("with an append-only file, data survives a kill", async () => {
  server = await startRedisServer({ args: ["--appendonly", "yes", "--appendfsync", "always"] });
  client = connect(server.url);
  await client.set("kept", "yes");
  await server.kill();
  await server.restart();
  expect(await client.get("kept")).toBe("yes");
});

test("a port in use is an error with the output of Redis", async () => {
  server = await startRedisServer();
  await expect(startRedisServer({ port: server.port })).rejects.toThrow(
    /Address already in use|bind/,
  );
});

function connect(url: string): Redis {
  const redis = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
  redis.on("error", () => undefined);
  return redis;
}
