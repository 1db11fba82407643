import { setTimeout as delay } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import type { Settings } from "../config/settings.ts";
import { migrateSchema, pendingMigrations } from "../database/migrate-schema.ts";
import { openDatabase } from "../database/open-database.ts";
import type { SchemaMigrations } from "../database/schema-migration.ts";
import { createLogger } from "../observe/logger.ts";
import { clearViews, syncViews } from "./sync-views.ts";
import type { WantedView } from "./view-rules.ts";

export interface ViewedSchema {
  schema: string;
  migrations: SchemaMigrations;
  views: readonly WantedView[];
  /** What else the options add to the tables. Runs after the migrations, and safely again. */
  beforeViews?: (db: Kysely<any>) => Promise<void>;
}

const lookMilliseconds = 100;

/**
 * Runs alone, whatever other processes do. A transaction holds the lock, because a pooler keeps no session. It is tried for again
 * and again: a statement that waited for it would hold up an index that is built beside writers, and that would hold up it.
 */
const alone = async <T>(db: Kysely<any>, schema: string, work: () => Promise<T>): Promise<T> => {
  const name = `latchkey ${schema} options`;
  for (;;) {
    const outcome = await db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ isMine: boolean }>`
        select pg_try_advisory_xact_lock(hashtext(${name})) as "isMine"`.execute(trx);
      return rows[0]?.isMine ? { given: await work() } : undefined;
    });
    if (outcome) return outcome.given;
    await delay(lookMilliseconds);
  }
};

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
