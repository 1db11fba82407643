import { existsSync } from "node:fs";
import { mkdir, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { embeddedPostgresAccount } from "./embedded-postgres-account.ts";
import { embeddedPostgresBinaries } from "./embedded-postgres-binaries.ts";
import { embeddedPostgresError } from "./embedded-postgres-error.ts";
import { initialiseEmbeddedPostgres } from "./embedded-postgres-initialise.ts";
import { launchEmbeddedPostgres } from "./embedded-postgres-launch.ts";
import { stopOrphanedPostgres } from "./embedded-postgres-orphan.ts";
import { embeddedPostgresPassword } from "./embedded-postgres-password.ts";
import { embeddedPostgresUrl } from "./embedded-postgres-url.ts";
import { freePort } from "./free-port.ts";

export { findEmbeddedPostgres } from "./embedded-postgres-running.ts";
export { freePort } from "./free-port.ts";

/**
 * `directory` is made when missing. `durable: false` trades crash safety for speed and is for tests.
 * `postgresFlags` go to `postgres` as they are and win over the built-in settings.
 */
export type EmbeddedPostgresOptions = {
  directory: string;
  durable: boolean;
  port?: number | undefined;
  log?: ((line: string) => void) | undefined;
  postgresFlags?: readonly string[] | undefined;
};

/** `url` carries the superuser's password. `stop` waits for a clean shutdown and may be called twice. */
export type EmbeddedPostgres = {
  url: string;
  port: number;
  alreadyInitialised: boolean;
  stop(): Promise<void>;
};

const retryMs = 5_000;

/**
 * Runs a real Postgres on 127.0.0.1 over a data directory that outlives the process.
 *
 * A server orphaned by a killed process is stopped and replaced; one whose owner is alive is left
 * alone and refused with an error. The server ends with this process, except when that dies by an
 * unhandled signal: then the next start cleans up. Signals of the terminal do not reach it, so the
 * caller drains first and calls `stop` last.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const binaries = await embeddedPostgresBinaries();
  const directory = await resolveDirectory(options.directory);
  const alreadyInitialised = existsSync(join(directory, "PG_VERSION"));
  const account = await embeddedPostgresAccount(directory, alreadyInitialised);
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

/** The real path, because the orphan check compares it with the command line of a running server. */
async function resolveDirectory(directory: string): Promise<string> {
  const parent = dirname(resolve(directory));
  await mkdir(parent, { recursive: true });
  const path = join(await realpath(parent), basename(resolve(directory)));
  return existsSync(path) ? realpath(path) : path;
}

function settings(port: number, durable: boolean): string[] {
  const values = [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    `port=${port}`,
    "max_connections=300",
  ];
  values.push("timezone=UTC", "log_timezone=UTC", "lc_messages=C");
  if (!durable) values.push("fsync=off", "synchronous_commit=off", "full_page_writes=off");
  return values.flatMap((value) => ["-c", value]);
}

/** Two failures that pass: children of a killed server still leaving, and a random port lost to another process. */
function mayPass(output: readonly string[], fixedPort: number | undefined): boolean {
  const text = output.join("\n");
  return (
    /shared memory block .* still in use/.test(text) ||
    (fixedPort === undefined && /Address already in use/.test(text))
  );
}
