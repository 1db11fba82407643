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
  /** Adds further option-defined parts to the tables. Runs after the migrations, and must be repeatable. */
  beforeViews?: (db: Kysely<any>) => Promise<void>;
}

const lookMilliseconds = 100;

/**
 * Serializes `work` across processes. A transaction holds the lock, because a pooler keeps no session. It polls, because a
 * statement that waits for the lock would block a concurrent index build, which in turn would block the holder.
 */
const alone = async <T>(db: Kysely<any>, schema: string, work: () => Promise<T>): Promise<T> => {
  const name = `latchkey ${schema} options`;
  for (;;) {
    const outcome = await db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ isMine: boolean }>`
        select pg_try_advisory_xact_lock(hashtext(${name})) as "isMine"`.execute(trx);
      if (!rows[0]?.isMine) return undefined;
      // This statement takes no snapshot, so the previous statement's snapshot is released, for which index builds would wait.
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
      return { given: await work() };
    });
    if (outcome) return outcome.given;
    await delay(lookMilliseconds);
  }
};

/**
 * Migrates one service's schema and synchronizes the views of its tables under names of the application's choice. Returns the
 * names of the applied migrations. Throws a `ConfigurationError` like `syncViews`.
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
