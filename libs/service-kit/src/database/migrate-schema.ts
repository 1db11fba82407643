import type { Settings } from "../config/settings.ts";
import { createLogger } from "../observe/logger.ts";
import { findPendingMigrations, migrate, type MigrateOptions } from "./migrate.ts";
import { openDatabase } from "./open-database.ts";
import type { SchemaMigrations } from "./schema-migration.ts";

/** Runs `work` on a dedicated connection. */
const withSchema = async (
  settings: Settings,
  { schema, migrations }: { schema: string; migrations: SchemaMigrations },
  work: (options: MigrateOptions) => Promise<string[]>,
): Promise<string[]> => {
  const logger = createLogger({ service: schema, ...settings.options.logger });
  const db = openDatabase(settings, { schema, logger, forMigration: true });
  try {
    return await work({ db, schema, migrations, logger });
  } finally {
    await db.destroy();
  }
};

/** Migrates one service's schema and returns the names of the applied migrations. */
export const migrateSchema = (
  settings: Settings,
  schema: string,
  migrations: SchemaMigrations,
): Promise<string[]> => withSchema(settings, { schema, migrations }, migrate);

/** Returns the names of the migrations that `migrateSchema` would apply. Changes nothing. */
export const pendingMigrations = (
  settings: Settings,
  schema: string,
  migrations: SchemaMigrations,
): Promise<string[]> => withSchema(settings, { schema, migrations }, findPendingMigrations);
