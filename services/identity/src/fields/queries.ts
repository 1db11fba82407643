import type { Kysely } from "kysely";
import { sql } from "kysely";
import { schema } from "../db/schema.ts";
import type { Tables } from "../db/tables.ts";

/** Names of the indexes of users that begin with a prefix. */
export const listUserIndexes = async (db: Kysely<Tables>, prefix: string): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select indexname as name from pg_indexes
    where schemaname = ${schema} and tablename = 'user' and starts_with(indexname, ${prefix})`.execute(
    db,
  );
  return rows.map(({ name }) => name);
};

// The names below come from the options, which hold letters and digits only. They are written as they are: the plugin
// that turns names of code into names of columns must not turn these.
const quoted = (name: string) => sql.raw(`${schema}."${name}"`);

/** Makes an additional field of users unique. Rejects with a unique violation when two have the same value already. */
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
