import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { LatchkeyConfig } from "@latchkey/contracts";
import { createAdmin } from "@latchkey/identity/commands";
import pg from "pg";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "@latchkey/embedded-postgres";
import { readSettings } from "@latchkey/service-kit/config";
import { until } from "@latchkey/testkit";
import { migrateAll } from "../../../../apps/cli/src/installation/migrate-all.ts";
import { anyPort } from "../../../harness/any-port.ts";
import { databaseEnvironment } from "../../../harness/database-environment.ts";
import { testSecret } from "../../../harness/stores.ts";
import { mountSmallDisk, type SmallDisk } from "./small-disk.ts";

const megabytes = 320;
const startMs = 60_000;
/** Keeps little WAL in advance, so that a full disk has an effect at once. */
const flags = ["-c", "max_wal_size=64MB", "-c", "min_wal_size=32MB", "-c", "fsync=off"];

export const admin = { email: "ops@example.com", password: "the password of an operator" };

/** A Postgres that loses nothing on SIGKILL, on a separate disk, with every schema and an admin. */
export interface OwnPostgres {
  url: string;
  disk: SmallDisk;
  /** Sends SIGKILL to the server. Resolves when it has exited. */
  kill(): Promise<void>;
  /** Restarts the server if it has stopped, as an orchestrator does. Resolves when it answers. */
  keepUp(): Promise<void>;
  stop(): Promise<void>;
}

/** Puts few rows into a page, so that a table soon needs another page on a full disk. */
const spreadRows = `
  do $block$
  declare
    target regclass;
  begin
    for target in select oid from pg_class where relkind = 'r'
      and relnamespace::regnamespace::text in ('identity', 'organization', 'apikey', 'mailer', 'webhooks')
    loop
      execute format('alter table %s set (fillfactor = 10)', target);
    end loop;
  end $block$`;

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Throws if the statement fails. */
const runStatement = async (url: string, statement: string): Promise<true> => {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query(statement);
    return true;
  } finally {
    await client.end();
  }
};

/** `config` says how the password of the admin is hashed. */
export const startOwnPostgres = async (
  config: Pick<LatchkeyConfig, "emailAndPassword">,
): Promise<OwnPostgres> => {
  const disk = await mountSmallDisk(megabytes);
  const directory = join(disk.folder, "data");
  const start = (port?: number) =>
    startEmbeddedPostgres({
      directory,
      durable: true,
      port,
      // Data loss by a crash of the machine is not tested, and SIGKILL loses nothing that was written.
      postgresFlags: flags,
    });
  let server: EmbeddedPostgres | undefined;
  const stop = async () => {
    await server?.stop();
    disk.remove();
  };
  const pidOf = async () =>
    Number(
      (await readFile(join(directory, "postmaster.pid"), "utf8").catch(() => "")).split("\n")[0],
    );
  const isUp = async () => {
    const pid = await pidOf();
    return pid > 0 && isAlive(pid);
  };
  try {
    server = await start();
    const settings = readSettings(
      { ...config, secret: [testSecret] },
      { ...anyPort, ...databaseEnvironment(server.url) },
    );
    await migrateAll(settings);
    await createAdmin(settings, { ...admin, name: "Ops", data: {} });
    await runStatement(server.url, spreadRows);
  } catch (error) {
    await stop();
    throw error;
  }
  const { url, port } = server;
  return {
    url,
    disk,
    kill: async () => {
      const pid = await pidOf();
      // 0 would signal all processes of our group.
      if (!(pid > 0)) throw new Error("Postgres does not run");
      process.kill(pid, "SIGKILL");
      await until(async () => !(await isUp()));
    },
    keepUp: async () => {
      // A running server may be about to exit because of the full disk.
      const isKept = async () => {
        if (!(await isUp())) server = await start(port);
        return runStatement(url, "select");
      };
      await until(isKept, { timeoutMs: startMs, describe: "Postgres" });
    },
    stop,
  };
};
