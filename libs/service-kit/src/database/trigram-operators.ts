import { type Kysely, type RawBuilder, sql } from "kysely";

/**
 * Returns the operator class of trigram indexes for a migration, and creates the extension if missing. The class is in the
 * schema in which the extension was created. Another service may create it at the same moment.
 */
export const trigramOperators = async (db: Kysely<any>): Promise<RawBuilder<unknown>> => {
  await sql`
    do $$ begin
      create extension if not exists pg_trgm with schema public;
    exception when unique_violation or duplicate_object then null;
    end $$`.execute(db);
  const { rows } = await sql<{ name: string }>`
    select quote_ident(nspname) || '.gin_trgm_ops' as name
    from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
    where extname = 'pg_trgm'`.execute(db);
  return sql.raw(rows[0]?.name ?? "gin_trgm_ops");
};
