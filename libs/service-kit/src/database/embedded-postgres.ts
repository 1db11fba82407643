import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { embeddedPostgresAccount } from "./embedded-postgres-account.ts";
import { findPostgresPackage } from "./embedded-postgres-binaries.ts";
import { embeddedPostgresError } from "./embedded-postgres-error.ts";
import { initialiseEmbeddedPostgres } from "./embedded-postgres-initialise.ts";
import { launchEmbeddedPostgres } from "./embedded-postgres-launch.ts";
import { stopOrphanedPostgres } from "./embedded-postgres-orphan.ts";
import { embeddedPostgresPassword } from "./embedded-postgres-password.ts";
import { locateData, reachableData, reachablePrograms } from "./embedded-postgres-reach.ts";
import { embeddedPostgresUrl } from "./embedded-postgres-url.ts";
import { freePort } from "./free-port.ts";

export { findEmbeddedPostgres } from "./embedded-postgres-running.ts";
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
