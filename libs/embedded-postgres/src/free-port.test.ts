import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { expect, test } from "vitest";
import { freePort } from "./free-port.ts";

const listen = async (port: number): Promise<Server> => {
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  return server;
};

const close = async (server: Server): Promise<void> => {
  server.close();
  await once(server, "close");
};

/** Returns a port that a server has just left. */
const leftPort = async (): Promise<number> => {
  const server = await listen(0);
  const { port } = server.address() as AddressInfo;
  await close(server);
  return port;
};

test("returns ports that a server can use, and that no outgoing connection gets", async () => {
  for (const port of await Promise.all(Array.from({ length: 16 }, () => freePort()))) {
    expect(port).toBeGreaterThanOrEqual(20_000);
    expect(port).toBeLessThan(32_768);
    await close(await listen(port));
  }
});

test("skips ports that are in use, and rejects if there is no other", async () => {
  const other = await listen(0);
  const { port: used } = other.address() as AddressInfo;
  const free = await leftPort();
  const choices = [used, used, free];
  expect(await freePort(() => choices.shift() ?? 0)).toBe(free);
  await expect(freePort(() => used)).rejects.toThrow("No port");
  await close(other);
});

test("returns different ports to callers that do not listen yet", async () => {
  const [one, other] = [await leftPort(), await leftPort()];
  const choices = [one, one, other];
  const choose = () => choices.shift() ?? 0;
  expect(await Promise.all([freePort(choose), freePort(choose)])).toEqual([one, other]);
});
