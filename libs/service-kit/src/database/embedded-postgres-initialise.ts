import { execFile } from "node:child_process";
import { chown, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import type { PostgresAccount } from "./embedded-postgres-account.ts";
import { embeddedPostgresError } from "./embedded-postgres-error.ts";

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
export async function initialiseEmbeddedPostgres({
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
