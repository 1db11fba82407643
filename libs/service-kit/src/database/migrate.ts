import { type Kysely, sql } from "kysely";
import { Migrator } from "kysely/migration";
import type { Logger } from "../observe/logger.ts";
import { limitLockWaits, type Patience, patiently } from "./patience.ts";
import type { MigratedDatabase, SchemaMigration, SchemaMigrations } from "./schema-migration.ts";

export interface MigrateOptions {
  db: MigratedDatabase;
  schema: string;
  migrations: SchemaMigrations;
  /** Told where the schema is of a later version, and where others hold what a migration needs. */
  logger?: Logger | undefined;
  patience?: Patience | undefined;
}

/** Another process has applied the migration that was next. */
class Overtaken extends Error {}

/** A migration as it is run: within a transaction that waits for no lock for long, or outside of any. */
const guarded = (
  { up, isOutsideTransaction = false }: SchemaMigration,
  patience: Patience | undefined,
) => ({
  up: async (db: MigratedDatabase) => {
    if (db.isTransaction === isOutsideTransaction) throw new Overtaken();
    if (db.isTransaction) await limitLockWaits(db, patience);
    await up(db);
  },
});

const createMigrator = ({ db, schema, migrations, patience }: MigrateOptions): Migrator =>
  new Migrator({
    db,
    provider: {
      getMigrations: async () =>
        Object.fromEntries(
          Object.entries(migrations).map(([name, one]) => [name, guarded(one, patience)]),
        ),
    },
    migrationTableSchema: schema,
    migrationTableName: "migration",
    migrationLockTableName: "migration_lock",
  });

/** The names of the migrations that `migrate` would apply; changes nothing. */
export const findPendingMigrations = async (options: MigrateOptions): Promise<string[]> => {
  const known = await createMigrator(options).getMigrations();
  return known.filter(({ executedAt }) => !executedAt).map(({ name }) => name);
};

/** Whether the next migration is one that cannot be in a transaction. */
const isNextOutside = async (options: MigrateOptions): Promise<boolean> => {
  const isOutside = (name: string) => options.migrations[name]?.isOutsideTransaction ?? false;
  if (!Object.keys(options.migrations).some(isOutside)) return false;
  const [next] = await findPendingMigrations(options);
  return next !== undefined && isOutside(next);
};

/** Applies the next migration in a transaction of its own, or outside of any; gives its name. */
const applyNext = async (options: MigrateOptions): Promise<string[]> => {
  const disableTransactions = await isNextOutside(options);
  const { error, results = [] } = await createMigrator(options).migrateUp({ disableTransactions });
  if (error instanceof Overtaken) return applyNext(options);
  if (error) throw error;
  return results.map(({ migrationName }) => migrationName);
};

/**
 * Brings a service's schema up to date; safe when several processes do it at once (advisory lock) and while the previous version
 * serves, as long as migrations only add. Each is a transaction, so that it holds its locks no longer than it takes itself, and
 * those before one that fails stay. A schema that a later version has brought further is left as it is. Returns the names that
 * it applied.
 */
export const migrate = async (options: MigrateOptions): Promise<string[]> => {
  const { schema, logger } = options;
  const applied: string[] = [];
  await createSchema(options.db, schema);
  try {
    for (;;) {
      const next = await patiently(() => applyNext(options), options);
      if (next.length === 0) return applied;
      applied.push(...next);
    }
  } catch (error) {
    // Looked for once it has failed, since a later version may migrate at the same moment.
    const later = await findLaterMigrations(options);
    if (later.length === 0) throw new Error(`Migrating schema ${schema} failed`, { cause: error });
    logger?.warn({ later }, `schema ${schema} is of a later version, and left as it is`);
    return applied;
  }
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
