import type { Kysely } from "kysely";
import { sql } from "kysely";
import { schema } from "../db/schema.ts";
import type { Tables } from "../db/tables.ts";

/** Returns the names of the user indexes with a prefix. */
export const listUserIndexes = async (db: Kysely<Tables>, prefix: string): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select indexname as name from pg_indexes
    where schemaname = ${schema} and tablename = 'user' and starts_with(indexname, ${prefix})`.execute(
    db,
  );
  return rows.map(({ name }) => name);
};

// The names below come from the options and contain only letters and digits. They are quoted unchanged: the plugin that
// converts names in code to column names must not convert these.
const quoted = (name: string) => sql.raw(`${schema}."${name}"`);

/** Makes an additional field of users unique. Rejects with a unique violation if two users have the same value already. */
export const createFieldIndex = async (
  db: Kysely<Tables>,
  { index, field }: { index: string; field: string },
): Promise<void> => {
  await sql`create unique index ${sql.raw(`"${index}"`)} on ${quoted("user")} (
    (extra ->> ${sql.raw(`'${field}'`)}))`.execute(db);
};

export const dropFieldIndex = async (db: Kysely<Tables>, index: string): Promise<void> => {
  await sql`drop index ${quoted(index)}`.execute(db);
};
