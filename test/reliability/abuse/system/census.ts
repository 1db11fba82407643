import { Client } from "pg";
import type { Stores } from "../../../bench/harness/open-stores.ts";

/** Counts of the stored data. */
export interface Census {
  /** Rows of each table, by `schema.table`. */
  rows: Readonly<Record<string, number>>;
  /** Numbers of our own Redis keys by kind, without those of the bus. */
  keys: Readonly<Record<string, number>>;
  /** Our own keys that have no expiry. */
  immortal: readonly string[];
}

const schemas = ["gateway", "identity", "organization", "apikey", "mailer", "webhooks"];

const queryOnce = async <Row extends object>(
  databaseUrl: string,
  statement: string,
  values: unknown[] = [],
): Promise<Row[]> => {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Row>(statement, values)).rows;
  } finally {
    await client.end();
  }
};

/** Runs a statement on the system's database, on a separate connection. */
export const queryDatabase = <Row extends object>(
  { databaseUrl }: Stores,
  statement: string,
  values?: unknown[],
) => queryOnce<Row>(databaseUrl, statement, values);

const countRows = async (stores: Stores): Promise<Record<string, number>> => {
  const tables = await queryDatabase<{ name: string }>(
    stores,
    // The end of an audit log is signed once a minute, independent of requests.
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname = any($1) and tablename <> 'audit_checkpoint' order by 1`,
    [schemas],
  );
  const counts = tables.map(
    ({ name }) => `select '${name}' as name, count(*)::integer as count from ${name}`,
  );
  const counted = await queryDatabase<{ name: string; count: number }>(
    stores,
    counts.join(" union all "),
  );
  return Object.fromEntries(counted.map(({ name, count }) => [name, count]));
};

const scanCount = 5_000;

const countKeys = async ({ redis }: Stores): Promise<Pick<Census, "keys" | "immortal">> => {
  const keys: Record<string, number> = {};
  const immortal: string[] = [];
  for (const server of redis.servers())
    for await (const batch of server.scanStream({
      match: `${redis.keyPrefix}*`,
      count: scanCount,
    })) {
      const names = batch as string[];
      const pipeline = server.pipeline();
      for (const name of names) pipeline.pttl(name);
      const lives = names.length > 0 ? ((await pipeline.exec()) ?? []) : [];
      names.forEach((name, index) => {
        const kind = name.slice(redis.keyPrefix.length).split(":")[0] ?? "";
        keys[kind] = (keys[kind] ?? 0) + 1;
        if (lives[index]?.[1] === -1) immortal.push(name);
      });
    }
  return { keys, immortal };
};

/** Counts all rows and keys of a system. */
export const takeCensus = async (stores: Stores): Promise<Census> => {
  const [rows, ofRedis] = await Promise.all([countRows(stores), countKeys(stores)]);
  return { rows, ...ofRedis };
};

/** Returns the counts that have increased, by name. */
export const grown = (before: Census, after: Census): Record<string, number> =>
  Object.fromEntries(
    [
      ...Object.entries(after.rows).map(
        ([name, count]) => [name, count - (before.rows[name] ?? 0)] as const,
      ),
      ...Object.entries(after.keys).map(
        ([kind, count]) => [`redis ${kind}`, count - (before.keys[kind] ?? 0)] as const,
      ),
    ].filter(([, more]) => more > 0),
  );
