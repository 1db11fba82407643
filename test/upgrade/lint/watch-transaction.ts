import type { Pool } from "pg";

/** What a transaction did to tables that were there before. */
export interface Seen {
  transaction: string;
  table: string;
  /** `AccessExclusiveLock` and other modes that writers wait for, `scan` of the whole, or `change` of rows. */
  what: string;
}

/** What Postgres is asked by: after each statement that changes the shape, by itself, and at the end of a transaction. */
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

/** Has a database be watched. Only a superuser may. */
export const startWatching = async (pool: Pick<Pool, "query">): Promise<void> => {
  await pool.query(watching);
};

/** From here on the tables of a schema are those that were there before. */
export const rememberTables = async (pool: Pick<Pool, "query">, schema: string): Promise<void> => {
  await pool.query("truncate lint.known, lint.seen");
  await pool.query(
    `insert into lint.known
    select oid, relnamespace::regnamespace || '.' || relname, relfilenode from pg_class
    where relnamespace = to_regnamespace($1) and relkind in ('r', 'p') and relname not in ('migration', 'migration_lock')`,
    [schema],
  );
};

/** What was seen since then. */
export const listSeen = async (pool: Pick<Pool, "query">): Promise<Seen[]> => {
  const { rows } = await pool.query<Seen>(
    `select transaction, name as table, what from lint.seen join lint.known using (relation) order by name, what`,
  );
  return rows;
};

/** The tables whose rows Postgres has written into another file since then. */
export const listRewritten = async (pool: Pick<Pool, "query">): Promise<string[]> => {
  const { rows } = await pool.query<{ name: string }>(
    `select name from lint.known join pg_class on oid = relation where relfilenode <> file order by name`,
  );
  return rows.map(({ name }) => name);
};
