import { execFile } from "node:child_process";
import { chown, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
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
 * Creates the cluster beside `directory` and renames it into place, so a start that is killed midway leaves
 * nothing half-made. Collation is the built-in C.UTF-8: sorting does not change with the machine's libc.
 */
export async function initialiseEmbeddedPostgres({
  initdb,
  directory,
  account,
  password,
  durable,
}: InitialiseInput): Promise<void> {
  await refuseForeignFiles(directory);
  const fresh = `${directory}.new`;
  const passwordFile = `${fresh}-password`;
  try {
    await rm(fresh, { recursive: true, force: true });
    await mkdir(fresh, { mode: 0o700 });
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
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--no-instructions",
  ];
}
