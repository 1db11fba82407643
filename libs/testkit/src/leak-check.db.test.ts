import { createServer, type Server } from "node:net";
import { Worker } from "node:worker_threads";
import { Pool } from "pg";
import { afterAll, expect, inject, test } from "vitest";
import { expectNoLeaks } from "./leak-check.ts";

expectNoLeaks("test", 1_500);

const cleanUps: (() => unknown)[] = [];
afterAll(async () => {
  for (const cleanUp of cleanUps) await cleanUp();
});

// Each of these passes only because its leak fails it.

test.fails("an open Postgres pool fails the test", async () => {
  const pool = new Pool({ connectionString: inject("databaseUrl") });
  cleanUps.push(() => pool.end());
  await pool.query("select 1");
});

test.fails("a running worker fails the test", () => {
  const worker = new Worker("setInterval(() => undefined, 1000)", { eval: true });
  cleanUps.push(() => worker.terminate());
});

test.fails("a listening server fails the test", async () => {
  const server = await listen();
  cleanUps.push(() => server.close());
});

test("resources that are closed within the test pass, even if the operating system takes a moment", async () => {
  const pool = new Pool({ connectionString: inject("databaseUrl") });
  await Promise.all(Array.from({ length: 5 }, () => pool.query("select 1")));
  const server = await listen();
  const worker = new Worker("setInterval(() => undefined, 1000)", { eval: true });
  server.close();
  void worker.terminate();
  await pool.end();
  expect(pool.totalCount).toBe(0);
});

function listen(): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => resolve(server));
  });
}
