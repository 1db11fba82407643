import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findEmbeddedPostgres, startEmbeddedPostgres } from "./embedded-postgres.ts";

let home: string;
let directory: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "embedded-"));
  await chmod(home, 0o755); // under root, Postgres' own account has to pass through
  directory = join(home, "postgres");
});
afterEach(() => rm(home, { recursive: true, force: true }));

test("a server is found by its directory while it runs, and at no other time", async () => {
  expect(await findEmbeddedPostgres(directory)).toBeUndefined();
  expect(await readdir(home)).toEqual([]);
  const server = await startEmbeddedPostgres({ directory, durable: false });
  expect(await findEmbeddedPostgres(directory)).toBe(server.url);
  await server.stop();
  expect(await findEmbeddedPostgres(directory)).toBeUndefined();
});

test("a lock file that a killed server left, and whose pid is another process' by now, is no server", async () => {
  const server = await startEmbeddedPostgres({ directory, durable: false });
  const lockFile = join(directory, "postmaster.pid");
  const lock = await readFile(lockFile, "utf8");
  await server.stop();
  await writeFile(lockFile, lock.replace(/^\d+/, String(process.pid)));
  expect(await findEmbeddedPostgres(directory)).toBeUndefined();
});
