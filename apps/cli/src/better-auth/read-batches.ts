import type { GivenRow } from "@latchkey/service-kit/import";
import type { PoolClient } from "pg";
import type { ModelSql } from "./better-auth-models.ts";
import { columnSql, type SourceTables } from "./source-tables.ts";

const batchSize = 2_000;

/** Rows of a model with the range of their keys, which contains no other rows. */
export interface KeyBatch {
  after: string;
  upTo: string | undefined;
  rows: { key: string; hash: string }[];
  load(keys: readonly string[]): Promise<GivenRow<Record<string, unknown>>[]>;
}

interface Place {
  key: string;
  id: string;
  hash: string;
}

const load = async (
  client: PoolClient,
  { table, key, values, extra, where }: ModelSql,
  places: readonly Place[],
): Promise<GivenRow<Record<string, unknown>>[]> => {
  const id = table.columnOf("id") ?? "id";
  const named = [
    ...Object.entries(values).map(([name, sql]) => `${sql} as "${name}"`),
    ...Object.values(extra).map((sql, index) => `${sql} as "extra ${index}"`),
  ];
  const { rows } = await client.query<Record<string, unknown> & { "the key": string }>(
    `select ${key} as "the key", ${named.join(", ")} from ${table.sql} t
    where (${where}) and t."${id.replaceAll('"', '""')}" = any($1::text[]::${table.columns.get(id) ?? "text"}[])`,
    [places.map((place) => place.id)],
  );
  const hashes = new Map(places.map((place) => [place.key, place.hash]));
  const names = Object.keys(extra);
  return rows.map(({ "the key": key, ...row }) => {
    const plainValues = Object.fromEntries(
      Object.keys(values).map((name) => [name, row[name] ?? null]),
    );
    const extras = Object.fromEntries(
      names.map((name, index) => [name, row[`extra ${index}`] ?? null]),
    );
    return { key, hash: hashes.get(key) ?? "", values: { ...plainValues, extra: extras } };
  });
};

/** Iterates over all rows of a model in the order of their keys. Their values are read on demand. */
export async function* readBatches(client: PoolClient, sql: ModelSql): AsyncGenerator<KeyBatch> {
  const all = [...Object.values(sql.values), ...Object.values(sql.extra)].join(", ");
  const id = sql.table.columnOf("id") ?? "id";
  const cursor = `"keys of ${sql.table.name.replaceAll('"', "")}"`;
  await client.query(
    `declare ${cursor} no scroll cursor for
    select ${sql.key} as key, t."${id.replaceAll('"', '""')}"::text as id, md5(row(${all})::text)::uuid::text as hash
    from ${sql.table.sql} t where ${sql.where} order by (${sql.key}) collate "C"`,
  );
  let after = "";
  for (;;) {
    const { rows: places } = await client.query<Place>(`fetch ${batchSize} from ${cursor}`);
    const isLast = places.length < batchSize;
    const upTo = isLast ? undefined : places.at(-1)?.key;
    yield {
      after,
      upTo,
      rows: places.map(({ key, hash }) => ({ key, hash })),
      load: (keys) => {
        const wanted = new Set(keys);
        return load(
          client,
          sql,
          places.filter(({ key }) => wanted.has(key)),
        );
      },
    };
    if (isLast) break;
    after = upTo ?? "";
  }
  await client.query(`close ${cursor}`);
}

/** Counts the rows. */
export const countRows = async (
  client: PoolClient,
  { table, where }: ModelSql,
): Promise<number> => {
  const { rows } = await client.query<{ count: string }>(
    `select count(*) as count from ${table.sql} t where ${where}`,
  );
  return Number(rows[0]?.count);
};

/** Counts the users who have a password but no verified address. */
export const countUnprovenPasswords = async (
  client: PoolClient,
  tables: SourceTables,
): Promise<number> => {
  const [user, account] = [tables.of("user"), tables.of("account")];
  const password = account?.columnOf("password");
  if (!user || !account || password === undefined) return 0;
  const verified = user.columnOf("emailVerified");
  const isVerified =
    verified === undefined
      ? "false"
      : `coalesce(${columnSql(verified)}::text in ('1', 't', 'true'), false)`;
  const { rows } = await client.query<{ count: string }>(
    `select count(*) as count from ${user.sql} t where not ${isVerified} and exists (
      select from ${account.sql} o where ${columnSql(password, "o")} is not null
        and ${columnSql(account.columnOf("userId") ?? "userId", "o")}::text = ${columnSql(user.columnOf("id") ?? "id")}::text)`,
  );
  return Number(rows[0]?.count);
};
