import { readFile } from "node:fs/promises";
import type { Stores } from "../../../bench/harness/open-stores.ts";
import { queryDatabase } from "../system/census.ts";
import type { Storage } from "./flooded.ts";

const ticksPerSecond = 100;

/** CPU seconds of a process on this machine, or 0 if they cannot be read. */
const secondsOf = async (pid: number): Promise<number> => {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / ticksPerSecond;
};

const ofRedis = async ({ redis }: Stores): Promise<number> => {
  const infos = await Promise.all(redis.servers().map((server) => server.info("cpu")));
  const seconds = infos.flatMap((text) =>
    [...text.matchAll(/^used_cpu_(?:user|sys):([\d.]+)/gm)].map(([, said]) => Number(said)),
  );
  return seconds.reduce((sum, some) => sum + some, 0);
};

/** CPU seconds of the connections that are open now. A busy pool keeps its connections open. */
const ofPostgres = async (stores: Stores): Promise<number> => {
  const backends = await queryDatabase<{ pid: number }>(
    stores,
    "select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  const seconds = await Promise.all(backends.map(({ pid }) => secondsOf(pid)));
  return seconds.reduce((sum, some) => sum + some, 0);
};

/** Returns the CPU time in seconds that the store of limits has used so far. */
export const storeCpuSeconds = async (stores: Stores, storage: Storage): Promise<number> => {
  if (storage === "memory") return 0;
  return storage === "database" ? ofPostgres(stores) : ofRedis(stores);
};
