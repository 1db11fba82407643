import { createHash } from "node:crypto";
import { type AdditionalField, WireError } from "@latchkey/contracts";
import { type Kysely, sql } from "kysely";
import { ConfigurationError } from "../config/configuration-error.ts";
import { isUniqueViolation } from "../database/constraint-errors.ts";
import { inPatientTransaction } from "../database/patience.ts";

/** A table whose column `extra` holds additional fields. */
export interface FieldTable {
  schema: string;
  table: string;
  /** Path of the option that declares the fields, for error messages. */
  option: string;
  fields: Readonly<Record<string, AdditionalField>>;
}

/** Prefix of the names of these indexes, and of no others. */
const prefixOf = (table: string): string => `${table}_extra_`;

/** Postgres truncates longer names. */
const nameLengthMax = 63;

/** Returns the name of the index that makes a field unique. A long name ends with a hash in place of its own end. */
export const fieldIndexName = (table: string, field: string): string => {
  const name = prefixOf(table) + field;
  if (name.length <= nameLengthMax) return name;
  const hash = `_${createHash("sha256").update(field).digest("hex").slice(0, 16)}`;
  return name.slice(0, nameLengthMax - hash.length) + hash;
};

const uniqueFields = ({ fields }: FieldTable): string[] =>
  Object.entries(fields)
    .filter(([, { unique }]) => unique)
    .map(([name]) => name);

const listIndexes = async (db: Kysely<any>, { schema, table }: FieldTable): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select indexname as name from pg_indexes
    where schemaname = ${schema} and tablename = ${table}
      and starts_with(indexname, ${prefixOf(table)})`.execute(db);
  return rows.map(({ name }) => name);
};

// The names below come from the options and contain only letters and digits. They are quoted unchanged: the plugin that
// converts names in code to column names must not convert these.
const quoted = (schema: string, name: string) => sql.raw(`"${schema}"."${name}"`);

const createIndex = async (
  trx: Kysely<any>,
  { schema, table, option }: FieldTable,
  field: string,
): Promise<void> => {
  const index = fieldIndexName(table, field);
  try {
    await sql`create unique index ${sql.raw(`"${index}"`)} on ${quoted(schema, table)} (
      (extra ->> ${sql.raw(`'${field}'`)}))`.execute(trx);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new ConfigurationError([
      `${option}.additionalFields.${field}.unique: several ${table}s have the same value already`,
    ]);
  }
};

/**
 * Handles the rejection of a statement that writes additional fields. Converts a unique violation to `VALIDATION_ERROR` with the name of the
 * field, and rethrows any other error.
 */
export const orFieldTaken = (tables: readonly FieldTable[], error: unknown): never => {
  for (const { table, fields } of tables)
    for (const name of Object.keys(fields))
      if (isUniqueViolation(error, fieldIndexName(table, name)))
        throw new WireError("VALIDATION_ERROR", { issues: [{ path: name, message: "is taken" }] });
  throw error;
};

/** Returns whether exactly the configured additional fields of some tables are unique already. */
export const areFieldsSynced = async (
  db: Kysely<any>,
  tables: readonly FieldTable[],
): Promise<boolean> => {
  for (const table of tables) {
    const there = await listIndexes(db, table);
    const wanted = new Set(uniqueFields(table).map((field) => fieldIndexName(table.table, field)));
    if (there.length !== wanted.size || !there.every((index) => wanted.has(index))) return false;
  }
  return true;
};

/**
 * Makes exactly the configured additional fields of some tables unique. All or nothing, and without touching correct indexes. Throws a
 * `ConfigurationError` that names a field with duplicate values.
 */
export const syncFields = async (db: Kysely<any>, tables: readonly FieldTable[]): Promise<void> => {
  await inPatientTransaction(db, async (trx) => {
    for (const table of tables) {
      const indexOf = (field: string) => fieldIndexName(table.table, field);
      const fields = uniqueFields(table);
      const wanted = new Set(fields.map(indexOf));
      const there = await listIndexes(trx, table);
      for (const index of there)
        if (!wanted.has(index)) await sql`drop index ${quoted(table.schema, index)}`.execute(trx);
      for (const field of fields)
        if (!there.includes(indexOf(field))) await createIndex(trx, table, field);
    }
  });
};
