import { type Kysely, type QueryExecutorProvider, type RawBuilder, sql } from "kysely";
import type { Columns } from "../database/columns.ts";
import type { GivenRow } from "./source-batch.ts";
import type { ImportTables } from "./imported-row-table.ts";

/** Identifies the imported rows of one kind from another database. */
export interface ImportModel {
  source: string;
  model: string;
}

/** A table into which rows are imported. */
export interface ImportTarget {
  schema: string;
  table: string;
  /** The written columns. */
  columns: Columns;
  /** SQL of the column that is the key in the other database, as text. Default: `id`. */
  keyColumn?: RawBuilder<string>;
  /** Condition that a row of `given` must meet to be written. */
  guard?: RawBuilder<boolean>;
  /** Further assignments of an update. */
  onUpdate?: RawBuilder<unknown>;
  /** Further condition on the row `t`. If it does not hold, the row was changed here. */
  untouchedIf?: RawBuilder<boolean>;
  /** SQL of rows of another table that belong to the row `t`, as text. If they change, the row was changed here. */
  belongings?: RawBuilder<string | null>;
}

type Db<Tables extends ImportTables> = Kysely<Tables>;

/** Returns the import records of keys after one key up to another. */
export const listImported = async <Tables extends ImportTables>(
  db: Db<Tables>,
  { source, model, after, upTo }: ImportModel & { after: string; upTo: string | undefined },
): Promise<Map<string, string>> => {
  const rows = await (db as unknown as Kysely<ImportTables>)
    .selectFrom("taken")
    .select(["key", "given"])
    .where("source", "=", source)
    .where("model", "=", model)
    .where("key", ">", after)
    .$if(upTo !== undefined, (query) => query.where("key", "<=", upTo ?? ""))
    .execute();
  return new Map(rows.map(({ key, given }) => [key, given]));
};

/** Fixes the text format of values in this transaction, because the hashes cover that text. */
export const writeAlike = async (trx: QueryExecutorProvider): Promise<void> => {
  await sql`select set_config('TimeZone', 'UTC', true), set_config('DateStyle', 'ISO', true),
    set_config('bytea_output', 'hex', true), set_config('statement_timeout', '0', true)`.execute(
    trx,
  );
};

const nameOf = (into: ImportTarget) => sql.id(into.schema, into.table);
/** Hashes only the written columns, so that other columns can be added. */
const hashOf = ({ columns, belongings }: ImportTarget) => {
  const own = Object.keys(columns).map((name) => sql.ref(`t.${name}`));
  return sql`md5(row(${sql.join(belongings ? [...own, belongings] : own)})::text)::uuid`;
};
const keyOf = (into: ImportTarget) => into.keyColumn ?? sql<string>`t.id`;
/** The row `t` is as the import `known` left it. */
const isUntouched = (into: ImportTarget) =>
  sql<boolean>`${hashOf(into)} = known.kept and ${into.untouchedIf ?? sql`true`}`;

/** JSON holds most types as text. JSON columns are taken as they are. */
const column = ([name, { type }]: [string, Columns[string]]) =>
  type === "jsonb"
    ? sql`nullif(r -> ${sql.lit(name)}, 'null') as ${sql.ref(name)}`
    : sql`(r ->> ${sql.lit(name)})::${sql.raw(type)} as ${sql.ref(name)}`;

const inputTable = (into: ImportTarget, rows: readonly GivenRow<object>[]) => {
  const json = JSON.stringify(
    rows.map(({ key, hash, values }) => ({ ...values, "#": key, "##": hash })),
  );
  const columns = sql.join(Object.entries(into.columns).map(column));
  return sql`given as materialized (
    select r ->> '#' as taken_key, (r ->> '##')::uuid as taken_hash, ${columns}
    from jsonb_array_elements(${json}::jsonb) as r)`;
};

/** Inserts rows without conflicts and records their import. Returns the keys of the inserted rows. */
export const insertImported = async <Tables extends ImportTables>(
  trx: Db<Tables>,
  into: ImportTarget,
  { source, model, rows }: ImportModel & { rows: readonly GivenRow<object>[] },
): Promise<Set<string>> => {
  const names = sql.join(Object.keys(into.columns).map((name) => sql.ref(name)));
  const written = await sql<{ key: string }>`
    with ${inputTable(into, rows)},
    written as (
      insert into ${nameOf(into)} as t (${names})
      select ${names} from given where ${into.guard ?? sql`true`}
      on conflict do nothing
      returning ${keyOf(into)} as key, ${hashOf(into)} as kept)
    insert into ${sql.id(into.schema, "taken")} as known (source, model, key, given, kept)
    select ${source}::text, ${model}::text, written.key, given.taken_hash, written.kept
    from written join given on given.taken_key = written.key
    on conflict (source, model, key) do update set given = excluded.given, kept = excluded.kept
    returning known.key`.execute(trx);
  return new Set(written.rows.map(({ key }) => key));
};

/** Updates rows that are unchanged since their import. Returns the keys of the updated rows. */
export const updateImported = async <Tables extends ImportTables>(
  trx: Db<Tables>,
  into: ImportTarget,
  { source, model, rows }: ImportModel & { rows: readonly GivenRow<object>[] },
): Promise<Set<string>> => {
  const changes = Object.keys(into.columns)
    .filter((name) => name !== "id")
    .map((name) => sql`${sql.ref(name)} = given.${sql.ref(name)}`);
  const all = sql.join(into.onUpdate ? [...changes, into.onUpdate] : changes);
  const written = await sql<{ key: string }>`
    with ${inputTable(into, rows)},
    written as (
      update ${nameOf(into)} as t set ${all}
      from given join ${sql.id(into.schema, "taken")} as known
        on known.source = ${source} and known.model = ${model} and known.key = given.taken_key
      where ${keyOf(into)} = given.taken_key and ${isUntouched(into)} and ${into.guard ?? sql`true`}
      returning ${keyOf(into)} as key, ${hashOf(into)} as kept)
    update ${sql.id(into.schema, "taken")} as known set given = given.taken_hash, kept = written.kept
    from written join given on given.taken_key = written.key
    where known.source = ${source} and known.model = ${model} and known.key = written.key
    returning known.key`.execute(trx);
  return new Set(written.rows.map(({ key }) => key));
};

/** Records the present state of imported rows, whose belongings were written after them. */
export const rerecordImported = async <Tables extends ImportTables>(
  trx: Db<Tables>,
  into: ImportTarget,
  { source, model, keys }: ImportModel & { keys: readonly string[] },
): Promise<void> => {
  await sql`
    update ${sql.id(into.schema, "taken")} as known set kept = ${hashOf(into)}
    from ${nameOf(into)} as t
    where known.source = ${source} and known.model = ${model} and known.key = any(${[...keys]}::text[])
      and ${keyOf(into)} = known.key`.execute(trx);
};

/** Returns the keys among these whose rows are unchanged since their import. Call it in a transaction. */
export const listUntouched = async <Tables extends ImportTables>(
  db: Db<Tables>,
  into: ImportTarget,
  { source, model, keys }: ImportModel & { keys: readonly string[] },
): Promise<Set<string>> => {
  await writeAlike(db);
  const { rows } = await sql<{ key: string }>`
    select known.key from ${sql.id(into.schema, "taken")} as known
    join ${nameOf(into)} as t on ${keyOf(into)} = known.key
    where known.source = ${source} and known.model = ${model} and known.key = any(${[...keys]}::text[])
      and ${isUntouched(into)}`.execute(db);
  return new Set(rows.map(({ key }) => key));
};

/** Deletes rows that are unchanged since their import. Returns the keys of the deleted rows. */
export const deleteImported = async <Tables extends ImportTables>(
  trx: Db<Tables>,
  into: ImportTarget,
  { source, model, keys }: ImportModel & { keys: readonly string[] },
): Promise<Set<string>> => {
  const { rows } = await sql<{ key: string }>`
    delete from ${nameOf(into)} as t using ${sql.id(into.schema, "taken")} as known
    where known.source = ${source} and known.model = ${model} and known.key = any(${[...keys]}::text[])
      and ${keyOf(into)} = known.key and ${isUntouched(into)}
    returning known.key`.execute(trx);
  return new Set(rows.map(({ key }) => key));
};

/**
 * Clears references to deleted rows in rows that are unchanged since their import, and updates their hashes so that they still
 * count as unchanged. A JSON column is a list of references.
 */
export const releaseImported = async <Tables extends ImportTables>(
  trx: Db<Tables>,
  into: ImportTarget,
  { source, model, column, ids }: ImportModel & { column: string; ids: readonly string[] },
): Promise<void> => {
  const isOfModel = sql`known.source = ${source} and known.model = ${model}`;
  const [own, deleted] = [sql.ref(`t.${column}`), sql`${[...ids]}::text[]`];
  const [cleared, refers] =
    into.columns[column]?.type === "jsonb"
      ? [sql`${own} - ${deleted}`, sql`${own} ?| ${deleted}`]
      : [sql`null`, sql`${own} = any(${deleted})`];
  await sql`
    with released as (
      update ${nameOf(into)} as t set ${sql.ref(column)} = ${cleared}
      from ${sql.id(into.schema, "taken")} as known
      where ${isOfModel} and ${keyOf(into)} = known.key and ${isUntouched(into)}
        and ${refers}
      returning ${keyOf(into)} as key, ${hashOf(into)} as kept)
    update ${sql.id(into.schema, "taken")} as known set kept = released.kept
    from released where ${isOfModel} and known.key = released.key`.execute(trx);
};

/** Records the import of rows that are stored elsewhere. */
export const recordImported = async <Tables extends ImportTables>(
  trx: Db<Tables>,
  { source, model }: ImportModel,
  rows: readonly { key: string; given: string; kept: string }[],
): Promise<void> => {
  if (rows.length === 0) return;
  const db = trx as unknown as Kysely<ImportTables>;
  const each = sql`jsonb_array_elements(${JSON.stringify(rows)}::jsonb)`;
  await db
    .insertInto("taken")
    .columns(["source", "model", "key", "given", "kept"])
    .expression(
      sql`select ${source}::text, ${model}::text, r ->> 'key', (r ->> 'given')::uuid, (r ->> 'kept')::uuid from ${each} as r`,
    )
    .onConflict((conflict) =>
      conflict.columns(["source", "model", "key"]).doUpdateSet((eb) => ({
        given: eb.ref("excluded.given"),
        kept: eb.ref("excluded.kept"),
      })),
    )
    .execute();
};

/** Returns the hashes that rows had after their import, by key. */
export const listKept = async <Tables extends ImportTables>(
  db: Db<Tables>,
  { source, model, keys }: ImportModel & { keys: readonly string[] },
): Promise<Map<string, string>> => {
  const rows = await (db as unknown as Kysely<ImportTables>)
    .selectFrom("taken")
    .select(["key", "kept"])
    .where("source", "=", source)
    .where("model", "=", model)
    .where(sql<boolean>`key = any(${[...keys]}::text[])`)
    .execute();
  return new Map(rows.map(({ key, kept }) => [key, kept]));
};

/** Deletes the import records of rows, so that later runs ignore them. */
export const forgetImported = async <Tables extends ImportTables>(
  trx: Db<Tables>,
  { source, model, keys }: ImportModel & { keys: readonly string[] },
): Promise<void> => {
  await (trx as unknown as Kysely<ImportTables>)
    .deleteFrom("taken")
    .where("source", "=", source)
    .where("model", "=", model)
    .where(sql<boolean>`key = any(${[...keys]}::text[])`)
    .execute();
};

/** Returns a few of the imported keys. */
export const sampleImported = async <Tables extends ImportTables>(
  db: Db<Tables>,
  { source, model }: ImportModel,
  limit: number,
): Promise<string[]> => {
  const rows = await (db as unknown as Kysely<ImportTables>)
    .selectFrom("taken")
    .select("key")
    .where("source", "=", source)
    .where("model", "=", model)
    .limit(limit)
    .execute();
  return rows.map(({ key }) => key);
};
