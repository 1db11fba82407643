import { type RawBuilder, sql, type Transaction } from "kysely";

type Trx = Transaction<any>; // any schema: its objects are read from Postgres

export interface Column {
  name: string;
  /** Postgres's name of the type. */
  type: string;
}

/** A table and its exported columns. */
export interface Table {
  name: string;
  columns: Column[];
  /** The tables that it references. */
  refersTo: string[];
}

/** The migration state, which is exported separately. */
const untold = ["migration", "migration_lock"];

/**
 * Returns the tables of a schema, unordered. Generated columns are left out, and so are columns with transaction ids of this
 * server.
 */
export const listTables = async (trx: Trx, schema: string): Promise<Table[]> => {
  const { rows } = await sql<Table>`
    select relname as name,
      (select json_agg(json_build_object('name', attname, 'type', format_type(atttypid, atttypmod)) order by attnum)
        from pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped
          and attgenerated = '' and atttypid <> 'xid8'::regtype) as columns,
      array(select other.relname::text
        from pg_constraint join pg_class as other on other.oid = confrelid
        where conrelid = pg_class.oid and contype = 'f' and confrelid <> conrelid) as refers_to
    from pg_class
    where relnamespace = (select oid from pg_namespace where nspname = ${schema})
      and relkind = 'r' and relname <> all(${untold}::text[])`.execute(trx);
  return rows;
};

/** Returns the sequences of a schema by name. */
export const listSequences = async (trx: Trx, schema: string): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = (select oid from pg_namespace where nspname = ${schema}) and relkind = 'S'
    order by relname`.execute(trx);
  return rows.map(({ name }) => name);
};

/** The state of a sequence. A bigint is kept as text, so that it loses no digit. */
export interface SequencePlace {
  last: string;
  called: boolean;
}

/** Returns the current state of a sequence, which is independent of the transaction's snapshot. */
export const readSequence = async (
  trx: Trx,
  schema: string,
  name: string,
): Promise<SequencePlace> => {
  const { rows } = await sql<SequencePlace>`
    select last_value::text as last, is_called as called from ${sql.id(schema, name)}`.execute(trx);
  return rows[0] as SequencePlace; // a sequence has exactly one row
};

export const writeSequence = async (
  trx: Trx,
  schema: string,
  { name, last, called }: SequencePlace & { name: string },
): Promise<void> => {
  const sequence = `"${schema}"."${name.replaceAll('"', '""')}"`;
  await sql`select setval(${sequence}::regclass, ${last}::bigint, ${called})`.execute(trx);
};

/** Fixes the text format in which Postgres writes and reads values, independent of its settings. */
export const setForms = async (trx: Trx): Promise<void> => {
  await sql`
    select set_config('timezone', 'UTC', true), set_config('datestyle', 'ISO, YMD', true),
      set_config('intervalstyle', 'postgres', true), set_config('bytea_output', 'hex', true),
      set_config('extra_float_digits', '1', true)`.execute(trx);
};

/** Selects the rows of a table as JSON, with every value as Postgres's text, so that none loses a digit. */
export const selectTexts = (
  schema: string,
  { name, columns }: Pick<Table, "name" | "columns">,
): RawBuilder<{ row: string }> => {
  const texts = columns.map((column) => sql`${sql.id(column.name)}::text`);
  return sql<{ row: string }>`
    select row_to_json(texts)::text as row
    from (select ${sql.join(texts)} from ${sql.id(schema, name)}) as texts`;
};

/** Inserts rows from a JSON array of such texts. */
export const insertTexts = async (
  trx: Trx,
  schema: string,
  { table: { name, columns }, rows }: { table: Pick<Table, "name" | "columns">; rows: string },
): Promise<void> => {
  const names = columns.map((column) => sql.id(column.name));
  // The type comes from Postgres's catalogue, so it is safe as raw SQL.
  const values = columns.map(
    (column) => sql`(given ->> ${sql.lit(column.name)})::${sql.raw(column.type)}`,
  );
  await sql`
    insert into ${sql.id(schema, name)} (${sql.join(names)}) overriding system value
    select ${sql.join(values)} from json_array_elements(${rows}::json) as given`.execute(trx);
};

/** Locks tables against writes until the transaction ends. Rejects if a writer holds them for seconds. */
export const lockTables = async (
  trx: Trx,
  schema: string,
  names: readonly string[],
): Promise<void> => {
  await sql`select set_config('lock_timeout', '5s', true)`.execute(trx);
  const tables = names.map((name) => sql.id(schema, name));
  await sql`lock table ${sql.join(tables)} in exclusive mode`.execute(trx);
};

/** Updates Postgres's statistics, so that it plans well at once. */
export const analyzeTables = async (
  trx: Trx,
  schema: string,
  names: readonly string[],
): Promise<void> => {
  await sql`analyze ${sql.join(names.map((name) => sql.id(schema, name)))}`.execute(trx);
};

/** Returns the tables among these that have rows. */
export const listFilled = async (
  trx: Trx,
  schema: string,
  names: readonly string[],
): Promise<string[]> => {
  const looks = names.map(
    (name) => sql`select ${name}::text as name where exists (select from ${sql.id(schema, name)})`,
  );
  const { rows } = await sql<{ name: string }>`${sql.join(looks, sql` union all `)}`.execute(trx);
  return rows.map(({ name }) => name);
};

/** Returns whether the audit log records this action on an installation. */
export const isNoted = async (
  trx: Trx,
  schema: string,
  { action, id }: { action: string; id: string },
): Promise<boolean> => {
  const { rows } = await sql`
    select 1 from ${sql.id(schema, "audit")}
    where subject_kind = 'installation' and subject_id = ${id} and action = ${action}
    limit 1`.execute(trx);
  return rows.length > 0;
};

/** Returns the applied migrations of a schema. */
export const listMigrations = async (trx: Trx, schema: string): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.id(schema, "migration")} order by name`.execute(trx);
  return rows.map(({ name }) => name);
};

/** Exports the snapshot of a transaction for others in the same database. */
export const shareSnapshot = async (trx: Trx): Promise<string> => {
  const { rows } = await sql<{ id: string }>`select pg_export_snapshot() as id`.execute(trx);
  return rows[0]?.id ?? "";
};

/** Sets the snapshot of a new transaction. Rejects if the snapshot belongs to another database. */
export const joinSnapshot = async (trx: Trx, id: string): Promise<void> => {
  await sql`set transaction snapshot ${sql.lit(id)}`.execute(trx);
};
