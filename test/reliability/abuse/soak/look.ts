import { queryDatabase, takeCensus } from "../system/census.ts";
import type { System } from "../system/open-system.ts";
import type { Measurements } from "../system/report-measurements.ts";

/** Measurements of a system at one moment. */
export interface Look {
  minutes: number;
  /** By process. */
  measurements: Readonly<Record<string, Measurements>>;
  postgresConnections: number;
  deadRows: number;
  /** Events that some consumer has not processed yet. */
  outboxRows: number;
  /** Numbers of our own keys and of keys of the bus. */
  redisKeys: number;
  busKeys: number;
  immortalKeys: number;
  megabytesOfRows: number;
}

const scanCount = 5_000;

const countBusKeys = async ({ stores: { redis } }: System): Promise<number> => {
  let count = 0;
  for (const server of redis.servers())
    for await (const keys of server.scanStream({
      match: `{${redis.keyPrefix.slice(0, -1)}*`,
      count: scanCount,
    }))
      count += (keys as string[]).length;
  return count;
};

const outboxes = ["identity", "organization", "apikey", "mailer", "webhooks"];

export const lookAt = async (system: System, minutes: number): Promise<Look> => {
  const { processes, stores } = system;
  const measured = await Promise.all(
    processes.map(async (own) => [own.service, await own.measure()] as const),
  );
  const { rows, keys, immortal } = await takeCensus(stores);
  const [figures] = await queryDatabase<{ connections: number; dead: number; bytes: number }>(
    stores,
    `select
      (select count(*)::integer from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()) as connections,
      (select coalesce(sum(n_dead_tup), 0)::integer from pg_stat_user_tables) as dead,
      pg_database_size(current_database())::double precision as bytes`,
  );
  return {
    minutes,
    measurements: Object.fromEntries(measured),
    postgresConnections: figures?.connections ?? 0,
    deadRows: figures?.dead ?? 0,
    outboxRows: outboxes.reduce((sum, name) => sum + (rows[`${name}.outbox`] ?? 0), 0),
    redisKeys: Object.values(keys).reduce((sum, count) => sum + count, 0),
    busKeys: await countBusKeys(system),
    immortalKeys: immortal.length,
    megabytesOfRows: (figures?.bytes ?? 0) / 1024 ** 2,
  };
};
