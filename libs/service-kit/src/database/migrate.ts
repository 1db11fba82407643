import { type Kysely, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";

export interface MigrateOptions {
  // Migrations change the shape itself, so no row types hold here.
  db: Kysely<any>;
  schema: string;
  migrations: Readonly<Record<string, Migration>>;
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
 * while the previous version serves, as long as migrations only add. Returns the names that it applied.
 */
export const migrate = async (options: MigrateOptions): Promise<string[]> => {
  await createSchema(options.db, options.schema);
  const { error, results } = await createMigrator(options).migrateToLatest();
  if (error) throw new Error(`Migrating schema ${options.schema} failed`, { cause: error });
  return (results ?? []).map((result) => result.migrationName);
};

/** `create schema if not exists` still fails when two sessions race, and needs a right that a service may lack. */
const createSchema = async (db: Kysely<any>, schema: string): Promise<void> => {
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext(${`latchkey schema ${schema}`}))`.execute(trx);
    const { rows } = await sql`select 1 from pg_namespace where nspname = ${schema}`.execute(trx);
    if (rows.length === 0) await sql`create schema ${sql.id(schema)}`.execute(trx);
  });
};
