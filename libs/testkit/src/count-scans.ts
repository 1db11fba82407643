import { type Kysely, sql } from "kysely";

/**
 * Returns how often Postgres has read a table as a whole, by the name of the table, and each of its indexes, by their names. The database
 * must have one connection, because each reports its work with a delay.
 */
export const countScans = async (
  db: Kysely<any>,
  { schema, table }: Record<"schema" | "table", string>,
): Promise<Map<string, number>> => {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ name: string; scans: number }>`
    select relname as name, seq_scan::integer as scans
    from pg_stat_user_tables where schemaname = ${schema} and relname = ${table}
    union all
    select indexrelname, idx_scan::integer
    from pg_stat_user_indexes where schemaname = ${schema} and relname = ${table}`.execute(db);
  return new Map(rows.map(({ name, scans }) => [name, scans]));
};
