import { Client } from "pg";
import type { Stores } from "../../bench/harness/open-stores.ts";

/** What lies in the stores. */
export interface Census {
  /** Rows of each table, by `schema.table`. */
  rows: Readonly<Record<string, number>>;
  /** Keys of ours in Redis by kind, the bus's apart. */
  keys: Readonly<Record<string, number>>;
  /** Keys of ours that would live for ever. */
  immortal: readonly string[];
}

const schemas = ["gateway", "identity", "organization", "apikey", "mailer"];

const askOnce = async <Row extends object>(
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

/** A statement on the house's database, by a connection of its own. */
export const askDatabase = <Row extends object>(
  { databaseUrl }: Stores,
  statement: string,
  values?: unknown[],
) => askOnce<Row>(databaseUrl, statement, values);

const countRows = async (stores: Stores): Promise<Record<string, number>> => {
  const tables = await askDatabase<{ name: string }>(
    stores,
    // A log's end is signed once a minute, whatever was asked for meanwhile.
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname = any($1) and tablename <> 'audit_checkpoint' order by 1`,
    [schemas],
  );
  const counts = tables.map(
    ({ name }) => `select '${name}' as name, count(*)::integer as count from ${name}`,
  );
  const counted = await askDatabase<{ name: string; count: number }>(
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
    for await (const found of server.scanStream({
      match: `${redis.keyPrefix}*`,
      count: scanCount,
    })) {
      const names = found as string[];
      const asked = server.pipeline();
      for (const name of names) asked.pttl(name);
      const lives = names.length > 0 ? ((await asked.exec()) ?? []) : [];
      names.forEach((name, index) => {
        const kind = name.slice(redis.keyPrefix.length).split(":")[0] ?? "";
        keys[kind] = (keys[kind] ?? 0) + 1;
        if (lives[index]?.[1] === -1) immortal.push(name);
      });
    }
  return { keys, immortal };
};

/** Counts everything that a house keeps. */
export const takeCensus = async (stores: Stores): Promise<Census> => {
  const [rows, ofRedis] = await Promise.all([countRows(stores), countKeys(stores)]);
  return { rows, ...ofRedis };
};

/** What there is more of, by name. */
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
