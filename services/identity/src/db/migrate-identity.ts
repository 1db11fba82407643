import {
  createLogger,
  migrateSchema,
  openDatabase,
  pendingMigrations,
  type Settings,
} from "@latchkey/service-kit";
import { type Kysely, sql } from "kysely";
import { readIdentityConfig } from "../config.ts";
import { syncFields } from "../fields/sync-fields.ts";
import { clearViews, syncViews } from "../views/sync-views.ts";
import { migrations } from "./migrations.ts";
import { schema } from "./schema.ts";
import type { Tables } from "./tables.ts";

/** Runs alone, whatever other processes do. A transaction holds the lock, because a pooler keeps no session. */
const alone = async <T>(db: Kysely<Tables>, work: () => Promise<T>): Promise<T> =>
  db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext('latchkey identity options'))`.execute(trx);
    return work();
  });

/** Brings the schema up to date, and what the options add to it: unique fields and views. Gives what was applied. */
export const migrateIdentity = async (settings: Settings): Promise<string[]> => {
  const config = readIdentityConfig(settings);
  const logger = createLogger({ service: schema, ...settings.options.logger });
  const open = () => openDatabase<Tables>(settings, { schema, logger, forMigration: true });
  const [db, locking] = [open(), open()];
  try {
    return await alone(locking, async () => {
      await clearViews(db, () => pendingMigrations(settings, schema, migrations));
      const applied = await migrateSchema(settings, schema, migrations);
      await syncFields(db, config);
      await syncViews(db, config);
      return applied;
    });
  } finally {
    await Promise.all([db.destroy(), locking.destroy()]);
  }
};
