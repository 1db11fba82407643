import type { Migration } from "kysely/migration";
import type { Settings } from "../config/settings.ts";
import { createLogger } from "../observe/logger.ts";
import { migrate } from "./migrate.ts";
import { openDatabase } from "./open-database.ts";

/** Brings one service's schema up to date over a connection of its own; gives the names of what it applied. */
export const migrateSchema = async (
  settings: Settings,
  schema: string,
  migrations: Readonly<Record<string, Migration>>,
): Promise<string[]> => {
  const logger = createLogger({ service: schema, ...settings.options.logger });
  const db = openDatabase(settings, { schema, logger, forMigration: true });
  try {
    return await migrate({ db, schema, migrations });
  } finally {
    await db.destroy();
  }
};
