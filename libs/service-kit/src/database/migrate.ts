import { type Kysely, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import type { Logger } from "../observe/logger.ts";

export interface MigrateOptions {
  // Migrations change the shape itself, so no row types hold here.
  db: Kysely<any>;
  schema: string;
  migrations: Readonly<Record<string, Migration>>;
  /** Told where the schema is of a later version. */
  logger?: Logger | undefined;
}

const createMigrator = ({ db, schema, migrations }: MigrateOptions): Migrator =>
  new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...migrations }) },
    migrationTableSchema: schema,
    migrationTableName: "migration",
    migrationLockTableName: "migration_lock",
  });

/** The names of the migrations that `migrate` would apply; changes nothing. */
export const findPendingMigrations = async (options: MigrateOptions): Promise<string[]> => {
  const known = await createMigrator(options).getMigrations();
  return known.filter(({ executedAt }) => !executedAt).map(({ name }) => name);
};

/**
 * Brings a service's schema up to date; safe when several processes do it at once (advisory lock, one transaction) and
 * while the previous version serves, as long as migrations only add. A schema that a later version has brought further is left
 * as it is. Returns the names that it applied.
 */
export const migrate = async (options: MigrateOptions): Promise<string[]> => {
  const { schema, logger } = options;
  await createSchema(options.db, schema);
  const { error, results } = await createMigrator(options).migrateToLatest();
  if (!error) return (results ?? []).map((result) => result.migrationName);
  // Looked for once it has failed, since a later version may migrate at the same moment.
  const later = await findLaterMigrations(options);
  if (later.length === 0) throw new Error(`Migrating schema ${schema} failed`, { cause: error });
  logger?.warn({ later }, `schema ${schema} is of a later version, and left as it is`);
  return [];
};

/** The migrations of a later version, in a schema that has all of ours and none but those after them; else nothing. */
const findLaterMigrations = async ({
  db,
  schema,
  migrations,
}: MigrateOptions): Promise<string[]> => {
  const rows = await db
    .withSchema(schema)
    .selectFrom("migration")
    .select("name")
    .execute()
    .catch(() => []); // what failed before says more
  const executed = rows.map(({ name }) => name).toSorted();
  const known = Object.keys(migrations).toSorted();
  return known.every((name, index) => executed[index] === name) ? executed.slice(known.length) : [];
};

/** `create schema if not exists` still fails when two sessions race, and needs a right that a service may lack. */
const createSchema = async (db: Kysely<any>, schema: string): Promise<void> => {
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext(${`latchkey schema ${schema}`}))`.execute(trx);
    const { rows } = await sql`select 1 from pg_namespace where nspname = ${schema}`.execute(trx);
    if (rows.length === 0) await sql`create schema ${sql.id(schema)}`.execute(trx);
  });
};
