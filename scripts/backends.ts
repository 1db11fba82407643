import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { dockerAnswers, findExecutable } from "@latchkey/testkit";

const run = promisify(execFile);
const installMs = 300_000;

/** Sees to it that the tests will find a Redis; Postgres comes with npm. Installs it where that is ours to do. */
export async function ensureBackends(): Promise<void> {
  if (
    process.env["TEST_REDIS_URL"] ||
    (await findExecutable("redis-server")) ||
    (await dockerAnswers())
  )
    return;
  if (process.getuid?.() !== 0 || !existsSync("/etc/debian_version")) {
    throw new Error(
      "The tests need a Redis: install `redis-server` (Debian: apt-get install redis-server; macOS: brew install redis), start Docker, or set TEST_REDIS_URL.",
    );
  }
  console.log("No Redis found: installing Debian's redis-server, without starting its service");
  await withoutServices(installRedis);
  if (!(await findExecutable("redis-server")))
    throw new Error(
      "redis-server was installed but is not in PATH: add its folder, or set TEST_REDIS_URL.",
    );
}

async function installRedis(): Promise<void> {
  const options = {
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    timeout: installMs,
    maxBuffer: 64 * 1024 * 1024,
  };
  try {
    await run("apt-get", ["update"], options);
    await run("apt-get", ["install", "-y", "--no-install-recommends", "redis-server"], options);
  } catch (cause) {
    throw new Error(
      "Debian's redis-server could not be installed: install it by hand, or set TEST_REDIS_URL.",
      { cause },
    );
  }
}

/** Debian starts what it installs, unless this file says no (101). One that is there already is the machine's own rule. */
async function withoutServices(work: () => Promise<void>): Promise<void> {
  const policy = "/usr/sbin/policy-rc.d";
  if (existsSync(policy)) return work();
  await writeFile(policy, "#!/bin/sh\nexit 101\n", { mode: 0o755, flag: "wx" });
  try {
    await work();
  } finally {
    await rm(policy, { force: true });
  }
}
