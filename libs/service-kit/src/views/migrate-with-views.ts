import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import type { Settings } from "../config/settings.ts";
import { migrateSchema, pendingMigrations } from "../database/migrate-schema.ts";
import { openDatabase } from "../database/open-database.ts";
import { createLogger } from "../observe/logger.ts";
import { clearViews, syncViews } from "./sync-views.ts";
import type { WantedView } from "./view-rules.ts";

export interface ViewedSchema {
  schema: string;
  migrations: Readonly<Record<string, Migration>>;
  views: readonly WantedView[];
  /** What else the options add to the tables. Runs after the migrations, and safely again. */
  beforeViews?: (db: Kysely<any>) => Promise<void>;
}

/** Runs alone, whatever other processes do. A transaction holds the lock, because a pooler keeps no session. */
const alone = async <T>(db: Kysely<any>, schema: string, work: () => Promise<T>): Promise<T> =>
  db.transaction().execute(async (trx) => {
    const name = `latchkey ${schema} options`;
    await sql`select pg_advisory_xact_lock(hashtext(${name}))`.execute(trx);
    return work();
  });

/**
 * Brings one service's schema up to date, and what options add to it: views of its tables under names of the application's
 * own. Gives the names of the migrations that it applied. Throws a `ConfigurationError` as `syncViews` does.
 */
export const migrateWithViews = async (
  settings: Settings,
  { schema, migrations, views, beforeViews }: ViewedSchema,
): Promise<string[]> => {
  const logger = createLogger({ service: schema, ...settings.options.logger });
  const open = () => openDatabase<any>(settings, { schema, logger, forMigration: true });
  const [db, locking] = [open(), open()];
  try {
    return await alone(locking, schema, async () => {
      await clearViews(db, schema, () => pendingMigrations(settings, schema, migrations));
      const applied = await migrateSchema(settings, schema, migrations);
      await beforeViews?.(db);
      await syncViews(db, schema, views);
      return applied;
    });
  } finally {
    await Promise.all([db.destroy(), locking.destroy()]);
  }
};
