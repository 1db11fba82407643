import { setTimeout as delay } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import type { Settings } from "../config/settings.ts";
import { migrateSchema, pendingMigrations } from "../database/migrate-schema.ts";
import { openDatabase } from "../database/open-database.ts";
import type { SchemaMigrations } from "../database/schema-migration.ts";
import { createLogger } from "../observe/logger.ts";
import { type WantedView, type DescribedView, describeView } from "./view-rules.ts";
import { ConfigurationError } from "../config/configuration-error.ts";
import { inPatientTransaction } from "../database/patience.ts";
import { createView, dropView, listColumns, listImported, listViews } from "./queries.ts";

/** Drops the views if migrations are pending, because a view restricts changes of its table. */
const clearViews = async (
  db: Kysely<any>,
  schema: string,
  pendingMigrations: () => Promise<readonly string[]>,
): Promise<void> => {
  const views = await listViews(db, schema);
  if (views.length === 0 || (await pendingMigrations()).length === 0) return;
  await inPatientTransaction(db, async (trx) => {
    for (const { name } of views) await dropView(trx, schema, name);
  });
};

const describeAll = async (
  trx: Kysely<any>,
  schema: string,
  wantedViews: readonly WantedView[],
): Promise<{ views: DescribedView[]; problems: string[] }> => {
  const views: DescribedView[] = [];
  const problems: string[] = [];
  for (const wanted of wantedViews) {
    const columns = await listColumns(trx, schema, wanted.table);
    const described = describeView(wanted, { schema, columns });
    problems.push(...described.problems);
    if (views.some(({ name }) => name === described.view.name))
      problems.push(`${wanted.option}.modelName: another table has the name ${wanted.name} too`);
    views.push(described.view);
  }
  return { views, problems };
};

/**
 * Creates the configured views of a schema, and drops those that are no longer configured. All or nothing; a view that is up to
 * date is not touched. Throws a `ConfigurationError` with every unknown field and every name that is already in use.
 */
const syncViews = (
  db: Kysely<any>,
  schema: string,
  wantedViews: readonly WantedView[],
): Promise<void> =>
  inPatientTransaction(db, async (trx) => {
    const { views, problems } = await describeAll(trx, schema, wantedViews);
    const isWanted = (there: { name: string; comment: string }) =>
      views.some(({ name, comment }) => name === there.name && comment === there.comment);
    const there = await listViews(trx, schema);
    for (const view of there) if (!isWanted(view)) await dropView(trx, schema, view.name);
    const unchangedNames = new Set(there.filter(isWanted).map(({ name }) => name));
    const missing = views.filter(({ name }) => !unchangedNames.has(name));
    const names = missing.map(({ name }) => name);
    const importedNames = new Set(await listImported(trx, schema, names));
    for (const { option, name } of wantedViews)
      if (importedNames.has(name))
        problems.push(`${option}.modelName: ${name} is the name of something else in the database`);
    if (problems.length > 0) throw new ConfigurationError(problems);
    for (const view of missing) await createView(trx, schema, view);
  });

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
