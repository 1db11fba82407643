import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres } from "@latchkey/service-kit/embedded-postgres";
import { readSettings } from "@latchkey/service-kit";
import { until } from "@latchkey/testkit";
import { migrateAll } from "../../../scripts/run-all.ts";
import { anyPort } from "../../any-port.ts";
import { reachDatabase } from "../../reach-database.ts";
import { testSecret } from "../../stack.ts";
import { mountSmallDisk, type SmallDisk } from "./small-disk.ts";

const megabytes = 320;
/** Little is kept ahead, so that a full disk is felt at once. */
const flags = ["-c", "max_wal_size=64MB", "-c", "min_wal_size=32MB", "-c", "fsync=off"];

/** A Postgres that loses nothing by SIGKILL, on a disk of its own, with every schema in place. */
export interface OwnPostgres {
  url: string;
  disk: SmallDisk;
  /** SIGKILL to the server; resolves when it is gone. */
  kill(): Promise<void>;
  /** What an orchestrator does: starts it where it does not run. */
  keepUp(): Promise<void>;
  stop(): Promise<void>;
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

export const startOwnPostgres = async (): Promise<OwnPostgres> => {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-storm-postgres-"));
  const disk = await mountSmallDisk(folder, megabytes);
  const directory = join(folder, "data");
  let last: string[] = [];
  const start = (port?: number) =>
    startEmbeddedPostgres({
      directory,
      durable: true,
      port,
      // What a crash of the machine would lose is not in question, and SIGKILL loses nothing that was written.
      postgresFlags: flags,
      log: (line) => {
        last = [...last, line].slice(-20);
      },
    });
  let server = await start();
  const pidOf = async () =>
    Number(
      (await readFile(join(directory, "postmaster.pid"), "utf8").catch(() => "")).split("\n")[0],
    );
  const isUp = async () => {
    const pid = await pidOf();
    return pid > 0 && isAlive(pid);
  };
  await migrateAll(
    readSettings({ secret: [testSecret] }, { ...anyPort, ...reachDatabase(server.url) }),
  );
  return {
    url: server.url,
    disk,
    kill: async () => {
      process.kill(await pidOf(), "SIGKILL");
      await until(async () => !(await isUp()));
    },
    keepUp: async () => {
      if (!(await isUp())) server = await start(server.port);
    },
    stop: async () => {
      await server.stop();
      await disk.unmount();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
