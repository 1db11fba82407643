import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sendRequest } from "./send-request.ts";
import { createServicePool, type ServicePool } from "./service-pool.ts";

const get = { method: "GET", path: "/" } as const;
const server = createServer();
let requestEvent: Promise<[IncomingMessage, ServerResponse]>;
let pool: ServicePool;

beforeEach(async () => {
  requestEvent = once(server, "request") as typeof requestEvent;
  await once(server.listen(0, "127.0.0.1"), "listening");
  pool = createServicePool([`http://127.0.0.1:${(server.address() as AddressInfo).port}`]);
});
afterEach(async () => {
  await pool.destroy();
  server.closeAllConnections();
  server.close();
});

test("ends an aborted request and its connection at once", async () => {
  const patience = new AbortController();
  const answer = sendRequest(pool, get, { repeatable: true, signal: patience.signal });
  const [request] = await requestEvent;
  const gone = once(request.socket, "close");
  patience.abort();
  await expect(answer).rejects.toMatchObject({ name: "AbortError" });
  await gone;
});

test("does not send a request that is already aborted", async () => {
  const aborted = sendRequest(pool, get, { repeatable: true, signal: AbortSignal.abort() });
  await expect(aborted).rejects.toMatchObject({ name: "AbortError" });
  expect(pool.next()?.connections.stats.size).toBe(0);
});

test("aborts an endless reply before it fills the memory", async () => {
  const answer = sendRequest(pool, get, { repeatable: true });
  const [, response] = await requestEvent;
  const chunk = Buffer.alloc(1024 * 1024);
  Readable.from(Array(65).fill(chunk)).pipe(response, { end: false });
  await expect(answer).rejects.toThrow("the reply is too large");
});
