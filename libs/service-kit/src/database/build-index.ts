import { sql } from "kysely";
import type { MigratedDatabase } from "./schema-migration.ts";

export interface BuiltIndex {
  schema: string;
  name: string;
  table: string;
  /** The SQL after the table name: `(user_id, created_at)`, `using gin (...)`, `(day) where ...`. */
  definition: string;
  isUnique?: boolean;
}

/**
 * Builds an index concurrently with writes, for a migration that runs outside a transaction. Drops the invalid index of an
 * interrupted build first. Keeps a valid index.
 */
export const buildIndex = async (
  db: MigratedDatabase,
  { schema, name, table, definition, isUnique = false }: BuiltIndex,
): Promise<void> => {
  const { rows } = await sql<{ isValid: boolean }>`
    select indisvalid as "isValid" from pg_index join pg_class on pg_class.oid = indexrelid
    where relnamespace = to_regnamespace(${schema}) and relname = ${name}`.execute(db);
  if (rows[0]?.isValid) return;
  if (rows[0]) await sql`drop index concurrently ${sql.id(schema, name)}`.execute(db);
  await sql`
    create ${sql.raw(isUnique ? "unique " : "")}index concurrently ${sql.id(name)}
    on ${sql.id(schema, table)} ${sql.raw(definition)}`.execute(db);
};
