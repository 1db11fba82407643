import type { Pool } from "pg";

/** The effects of a transaction on existing tables. */
export interface Seen {
  transaction: string;
  table: string;
  /** `AccessExclusiveLock` or another lock mode that blocks writers, `scan` of the whole table, or `change` of rows. */
  what: string;
}

/** Records locks and table statistics: after each DDL statement by an event trigger, and at the end of a transaction by a call. */
const watching = `
  create schema lint;
  create table lint.known (relation oid primary key, name text, file oid);
  create table lint.seen (transaction text, relation oid, what text, unique (transaction, relation, what));
  create function lint.look() returns void language sql as $$
    insert into lint.seen
    select pg_current_xact_id()::text, found.* from (
      select relation, mode from pg_locks
      where pid = pg_backend_pid() and locktype = 'relation' and granted
        and mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
      union select relid, 'scan' from pg_stat_xact_user_tables where seq_scan > 0
      union select relid, 'change' from pg_stat_xact_user_tables where n_tup_upd + n_tup_del > 0
    ) found (relation, what)
    where relation in (select relation from lint.known)
    on conflict do nothing
  $$;
  create function lint.look_after_statement() returns event_trigger language plpgsql as $$
    begin perform lint.look(); end
  $$;
  create event trigger look on ddl_command_end execute function lint.look_after_statement();
  create event trigger look_at_drops on sql_drop execute function lint.look_after_statement();`;

/** Starts to watch a database. Requires a superuser. */
export const startWatching = async (pool: Pick<Pool, "query">): Promise<void> => {
  await pool.query(watching);
};

/** Defines the current tables of a schema as the existing ones, and forgets earlier effects. */
export const rememberTables = async (pool: Pick<Pool, "query">, schema: string): Promise<void> => {
  await pool.query("truncate lint.known, lint.seen");
  await pool.query(
    `insert into lint.known
    select oid, relnamespace::regnamespace || '.' || relname, relfilenode from pg_class
    where relnamespace = to_regnamespace($1) and relkind in ('r', 'p') and relname not in ('migration', 'migration_lock')`,
    [schema],
  );
};

/** Returns the effects since the last `rememberTables`. */
export const listSeen = async (pool: Pick<Pool, "query">): Promise<Seen[]> => {
  const { rows } = await pool.query<Seen>(
    `select transaction, name as table, what from lint.seen join lint.known using (relation) order by name, what`,
  );
  return rows;
};

/** Returns the tables whose rows Postgres has rewritten into another file since then. */
export const listRewritten = async (pool: Pick<Pool, "query">): Promise<string[]> => {
  const { rows } = await pool.query<{ name: string }>(
    `select name from lint.known join pg_class on oid = relation where relfilenode <> file order by name`,
  );
  return rows.map(({ name }) => name);
};
