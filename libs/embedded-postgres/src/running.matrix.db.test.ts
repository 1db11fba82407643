import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findEmbeddedPostgres, startEmbeddedPostgres } from "./embedded-postgres.ts";

let home: string;
let directory: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "embedded-"));
  await chmod(home, 0o755); // under root, the postgres account must be able to enter
  directory = join(home, "postgres");
});
afterEach(() => rm(home, { recursive: true, force: true }));

test("finds a server by its directory only while it runs", async () => {
  expect(await findEmbeddedPostgres(directory)).toBeUndefined();
  expect(await readdir(home)).toEqual([]);
  const server = await startEmbeddedPostgres({ directory, durable: false });
  expect(await findEmbeddedPostgres(directory)).toEqual({ url: server.url, directory });
  await server.stop();
  expect(await findEmbeddedPostgres(directory)).toBeUndefined();
});

test("ignores a stale lock file whose pid belongs to another process", async () => {
  const server = await startEmbeddedPostgres({ directory, durable: false });
  const lockFile = join(directory, "postmaster.pid");
  const lock = await readFile(lockFile, "utf8");
  await server.stop();
  await writeFile(lockFile, lock.replace(/^\d+/, String(process.pid)));
  expect(await findEmbeddedPostgres(directory)).toBeUndefined();
});
