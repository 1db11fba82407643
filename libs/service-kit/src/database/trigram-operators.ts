import { type Kysely, type RawBuilder, sql } from "kysely";

/**
 * The operator class of indexes by trigrams, for a migration; the extension is created where it is missing. They live in the
 * schema that it was created in, and another service may be creating it at the same moment.
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
