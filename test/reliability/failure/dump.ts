import { createTestRedis } from "@latchkey/testkit";
import type { openPool } from "../../harness/rows.ts";

type Pool = ReturnType<typeof openPool>;
type Client = Awaited<ReturnType<typeof createTestRedis>>["client"];

interface Column {
  table_schema: string;
  table_name: string;
  column_name: string;
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** Returns every column of every table, except for Postgres' own, as text, by `schema.table`, in the order of their names. */
export const dumpPostgres = async (pool: Pool): Promise<Map<string, string>> => {
  const { rows: columns } = await pool.query<Column>(
    `select table_schema, table_name, column_name from information_schema.columns
     where table_schema not in ('pg_catalog', 'information_schema')
     order by table_schema, table_name, ordinal_position`,
  );
  const tables = Map.groupBy(
    columns,
    (column) => `${quoted(column.table_schema)}.${quoted(column.table_name)}`,
  );
  const dump = new Map<string, string>();
  for (const [table, members] of tables) {
    const texts = members.map(({ column_name }) => `${quoted(column_name)}::text`).join(", ");
    const { rows } = await pool.query<{ value: string | null }>(
      `select unnest(array[${texts}]) as value from ${table}`,
    );
    dump.set(table.replaceAll('"', ""), rows.map(({ value }) => value ?? "").join("\n"));
  }
  return dump;
};

const readers: Record<string, (client: Client, key: string) => Promise<unknown>> = {
  string: (client, key) => client.get(key),
  hash: (client, key) => client.hgetall(key),
  list: (client, key) => client.lrange(key, "0", "-1"),
  set: (client, key) => client.smembers(key),
  zset: (client, key) => client.zrange(key, "0", "-1"),
  stream: (client, key) => client.xrange(key, "-", "+"),
};

/** Returns the texts in a value, so that JSON escapes hide none. */
const textsOf = (value: unknown): string[] => {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return [...Object.keys(value), ...Object.values(value).flatMap(textsOf)];
};

/** Returns every key of a Redis with its whole value, as text. Throws at a type that it cannot read. */
export const dumpRedis = async (url: string): Promise<string> => {
  const { client, keys, close } = await createTestRedis(url);
  try {
    const texts: string[] = [];
    for (const key of await keys("*")) {
      const type = await client.type(key);
      if (type === "none") continue; // it has expired since it was listed
      const read = readers[type];
      if (!read) throw new Error(`${key} is a ${type}`);
      texts.push(key, ...textsOf(await read(client, key)));
    }
    return texts.join("\n");
  } finally {
    await close();
  }
};
