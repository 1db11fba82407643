import { once } from "node:events";
import { createServer, type Server } from "node:net";
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

test("returns ports that a server can use, and that no outgoing connection gets", async () => {
  for (const port of await Promise.all(Array.from({ length: 16 }, () => freePort()))) {
    expect(port).toBeGreaterThanOrEqual(20_000);
    expect(port).toBeLessThan(32_768);
    await close(await listen(port));
  }
});

test("passes over ports that other servers use, and rejects if there is no other", async () => {
  const [taken, free] = [await freePort(), await freePort()];
  const other = await listen(taken);
  const choices = [taken, taken, free];
  expect(await freePort(() => choices.shift() ?? 0)).toBe(free);
  await expect(freePort(() => taken)).rejects.toThrow("No port");
  await close(other);
});
