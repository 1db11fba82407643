import { setTimeout as delay } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import { Migrator } from "kysely/migration";
import type { Logger } from "../observe/logger.ts";
import { limitLockWaits, type Patience, patiently } from "./patience.ts";
import type { MigratedDatabase, SchemaMigration, SchemaMigrations } from "./schema-migration.ts";

export interface MigrateOptions {
  db: MigratedDatabase;
  schema: string;
  migrations: SchemaMigrations;
  /** Receives warnings about a later schema version and about lock waits. */
  logger?: Logger | undefined;
  patience?: Patience | undefined;
}

/** Wraps a migration: it runs in a transaction with a short lock timeout, or outside any transaction. */
const guarded = ({ up }: SchemaMigration, patience: Patience | undefined) => ({
  up: async (db: MigratedDatabase) => {
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

/** Returns the names of the migrations that `migrate` would apply. Changes nothing. */
export const findPendingMigrations = async (options: MigrateOptions): Promise<string[]> => {
  const knownMigrations = await createMigrator(options).getMigrations();
  return knownMigrations.filter(({ executedAt }) => !executedAt).map(({ name }) => name);
};

/** Returns whether exactly our migrations have been applied. Reads once, without a lock. Rejects if there is no schema yet. */
export const isMigrated = async ({
  db,
  schema,
  migrations,
}: Pick<MigrateOptions, "db" | "migrations" | "schema">): Promise<boolean> => {
  const rows = await db.withSchema(schema).selectFrom("migration").select("name").execute();
  const applied = new Set(rows.map(({ name }) => name));
  const names = Object.keys(migrations);
  return applied.size === names.length && names.every((name) => applied.has(name));
};

/** Returns whether the next migration must run outside a transaction. */
const isNextOutside = async (options: MigrateOptions): Promise<boolean> => {
  const isOutside = (name: string) => options.migrations[name]?.isOutsideTransaction ?? false;
  if (!Object.keys(options.migrations).some(isOutside)) return false;
  const [next] = await findPendingMigrations(options);
  return next !== undefined && isOutside(next);
};

const lockName = "latchkey migrations";
const lookMilliseconds = 50;

/**
 * Serializes migrations in the database. It polls for the lock, because a concurrent index build waits for every running
 * statement, so it would wait forever for a statement that waits for this lock.
 */
const withMigrationLock = <T>(
  { db }: MigrateOptions,
  work: (db: MigratedDatabase) => Promise<T>,
): Promise<T> =>
  db.connection().execute(async (connection) => {
    const isFree = async () => {
      const { rows } = await sql<{ isMine: boolean }>`
        select pg_try_advisory_lock(hashtext(${lockName})) as "isMine"`.execute(connection);
      return rows[0]?.isMine;
    };
    while (!(await isFree())) await delay(lookMilliseconds);
    try {
      return await work(connection);
    } finally {
      await sql`select pg_advisory_unlock(hashtext(${lockName}))`.execute(connection);
    }
  });

/** Applies the next migration in its own transaction or outside any. Returns its name, or nothing if none is left. */
const applyNext = (options: MigrateOptions): Promise<string[]> =>
  withMigrationLock(options, async (db) => {
    const locked = { ...options, db };
    const disableTransactions = await isNextOutside(locked);
    const migrated = await createMigrator(locked).migrateUp({ disableTransactions });
    if (migrated.error) throw migrated.error;
    return (migrated.results ?? []).map(({ migrationName }) => migrationName);
  });

/**
 * Migrates a service's schema and returns the names of the applied migrations. Safe in several processes at once (advisory
 * lock), and while the previous version serves, as long as migrations only add. Each migration is one transaction, so that it
 * holds its locks only for its own duration. The migrations before a failed one stay. The schema of a later version is left
 * unchanged.
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
    // Checked only after a failure, because a later version may migrate at the same moment.
    const later = await findLaterMigrations(options);
    if (later.length === 0) throw new Error(`Migrating schema ${schema} failed`, { cause: error });
    logger?.warn({ later }, `schema ${schema} belongs to a later version, left unchanged`);
    return applied;
  }
};

/** Returns the migrations of a later version, if the schema has all of ours and otherwise only later ones. Else returns none. */
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
    .catch(() => []); // the original error is more helpful
  const executed = rows.map(({ name }) => name).toSorted();
  const names = Object.keys(migrations).toSorted();
  return names.every((name, index) => executed[index] === name) ? executed.slice(names.length) : [];
};

/** Avoids `create schema if not exists`, which fails when two sessions race and needs a privilege that a service may lack. */
const createSchema = async (db: Kysely<any>, schema: string): Promise<void> => {
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext(${`latchkey schema ${schema}`}))`.execute(trx);
    const { rows } = await sql`select 1 from pg_namespace where nspname = ${schema}`.execute(trx);
    if (rows.length === 0) await sql`create schema ${sql.id(schema)}`.execute(trx);
  });
};
