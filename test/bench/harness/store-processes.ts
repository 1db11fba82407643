import { readFile } from "node:fs/promises";
import { Client } from "pg";
import type { Stores } from "./open-stores.ts";

/** Returns the given processes if they run here under that name. A server may be in a container or on another machine. */
const ofThisMachine = async (
  name: string,
  pids: readonly number[],
): Promise<readonly number[] | undefined> => {
  for (const pid of pids) {
    const actual = await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "");
    if (actual.trim() !== name) return undefined;
  }
  return pids;
};

/** Returns the processes of Postgres, the one that starts the others among them. */
export const findPostgres = async ({
  databaseUrl,
}: Stores): Promise<readonly number[] | undefined> => {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>("select pid from pg_stat_activity");
    const pids = rows.map(({ pid }) => pid);
    const stat = await readFile(`/proc/${pids[0]}/stat`, "utf8").catch(() => "");
    const parent = Number(/\) \w (\d+)/.exec(stat)?.[1] ?? Number.NaN);
    return await ofThisMachine("postgres", [parent, ...pids]);
  } finally {
    await client.end();
  }
};

/** Returns the process of Redis. */
export const findRedis = async ({ redis }: Stores): Promise<readonly number[] | undefined> => {
  const pid = Number(/^process_id:(\d+)/m.exec(await redis.client.info("server"))?.[1]);
  return ofThisMachine("redis-server", [pid]);
};
