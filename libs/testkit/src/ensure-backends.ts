import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { findExecutable } from "./find-executable.ts";
import { findPostgresTools } from "./find-postgres-tools.ts";

const run = promisify(execFile);
const installMs = 300_000;
/** The headless build, which recent Debian releases have. Older ones have only the complete browser. */
const browserShell = "chromium-headless-shell";
const browser = "chromium";
const font = "fonts-dejavu-core";

/** Ensures that the tests find a Redis and PgBouncer, and installs them if it may. Postgres comes with npm. */
export async function ensureBackends(): Promise<void> {
  await ensurePgBouncer();
  await ensureRedis();
}

/** Some tests run behind PgBouncer, whichever Postgres is used. */
async function ensurePgBouncer(): Promise<void> {
  if (await findExecutable("pgbouncer")) return;
  if (!isRootOnDebian())
    throw new Error(
      "The tests need PgBouncer: install `pgbouncer` (Debian: apt-get install pgbouncer; macOS: brew install pgbouncer).",
    );
  console.log("No PgBouncer found: installing Debian's, without starting its service");
  await withoutServices(() => install(["pgbouncer"], "put `pgbouncer` into PATH"));
}

/** Some tests kill a Redis of their own, whichever Redis the others use. */
async function ensureRedis(): Promise<void> {
  if (await findExecutable("redis-server")) return;
  if (!isRootOnDebian())
    throw new Error(
      "The tests need Redis: install `redis-server` (Debian: apt-get install redis-server; macOS: brew install redis).",
    );
  console.log("No Redis found: installing Debian's redis-server, without starting its service");
  await withoutServices(() => install(["redis-server"], "put `redis-server` into PATH"));
  if (!(await findExecutable("redis-server")))
    throw new Error("redis-server was installed but is not in PATH: add its folder.");
}

/**
 * Ensures that the tests find a Chromium and fonts. If it may not install one, the tests use Playwright's own or the one that npm installs.
 */
export async function ensureBrowser(): Promise<void> {
  if (process.env["CHROMIUM_PATH"] || !isRootOnDebian()) return;
  const executables = await Promise.all(
    [browserShell, browser].map((name) => findExecutable(name)),
  );
  if (executables.some(Boolean)) return;
  console.log("No Chromium found: installing Debian's");
  const otherwise = "set CHROMIUM_PATH";
  await withoutServices(() =>
    install([browserShell, font], otherwise).catch(() => install([browser, font], otherwise)),
  );
}

/** Ensures that the tests find the Postgres tools, because tests run the backup commands of the documentation. */
export async function ensurePostgresTools(): Promise<void> {
  if (await findPostgresTools()) return;
  if (!isRootOnDebian())
    throw new Error(
      "The tests need the tools of Postgres, such as pg_dump: install `postgresql` (Debian: apt-get install postgresql; macOS: brew install postgresql).",
    );
  console.log(
    "No tools of Postgres found: installing Debian's postgresql, without starting its service",
  );
  await withoutServices(() => install(["postgresql"], "put its programs into PATH"));
}

/** Ensures that the tests find Python, because a test runs the receiver of webhooks of the documentation. */
export async function ensurePython(): Promise<void> {
  if (await findExecutable("python3")) return;
  if (!isRootOnDebian())
    throw new Error(
      "The tests need Python: install `python3` (Debian: apt-get install python3; macOS: brew install python).",
    );
  console.log("No Python found: installing Debian's python3");
  await install(["python3"], "put `python3` into PATH");
}

const isRootOnDebian = () => process.getuid?.() === 0 && existsSync("/etc/debian_version");

async function install(packages: readonly string[], otherwise: string): Promise<void> {
  const options = {
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    timeout: installMs,
    maxBuffer: 64 * 1024 * 1024,
  };
  try {
    await run("apt-get", ["update"], options);
    await run("apt-get", ["install", "-y", "--no-install-recommends", ...packages], options);
  } catch (cause) {
    throw new Error(
      `Debian's ${packages.join(", ")} could not be installed: do it by hand, or ${otherwise}.`,
      { cause },
    );
  }
}

/**
 * Debian starts services on installation unless this policy file refuses it (101). An existing file is the machine's own policy and is
 * kept.
 */
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
