import type { Pool } from "pg";

/** Inserts a row into each empty table of a schema, with values for its required columns by their types. */
const filling = `
  do $block$
  declare
    target record;
  begin
    set local session_replication_role = replica;
    for target in
      select attrelid::regclass as name,
        string_agg(quote_ident(attname), ', ' order by attnum) as columns,
        string_agg(format('%L::%s', case
          when typname in ('json', 'jsonb') then '{}'
          when typname = 'bytea' then '\\x01'
          when typname = 'uuid' then gen_random_uuid()::text
          when typcategory = 'A' then '{}'
          when typcategory = 'B' then 'true'
          when typcategory = 'D' then now()::text
          when typcategory = 'T' then '1 hour'
          when typcategory = 'I' then '127.0.0.1'
          when typcategory = 'S' then 'a'
          else '1' end, format_type(atttypid, atttypmod)), ', ' order by attnum) as values
      from pg_attribute join pg_class on pg_class.oid = attrelid join pg_type on pg_type.oid = atttypid
      where relnamespace = to_regnamespace(:schema) and relkind = 'r' and relname not in ('migration', 'migration_lock')
        and attnum > 0 and not attisdropped and attnotnull and not atthasdef and attidentity = ''
      group by attrelid
    loop
      begin
        execute format('insert into %1$s (%2$s) select %3$s where not exists (select from %1$s)',
          target.name, target.columns, target.values);
      -- It stays empty then: only what a migration writes into rows that are there goes unseen.
      exception when check_violation then null;
      end;
    end loop;
  end $block$`;

/** Inserts a row into each empty table, so that migrations that change rows are detected. */
export const fillTables = async (pool: Pick<Pool, "query">, schema: string): Promise<void> => {
  await pool.query(filling.replace(":schema", `'${schema}'`));
};
