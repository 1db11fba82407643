import { ConfigurationError } from "@latchkey/service-kit";
import type { Kysely } from "kysely";
import type { IdentityConfig } from "../config.ts";
import type { Tables } from "../db/tables.ts";
import { createView, dropView, listColumns, listTaken, listViews } from "./queries.ts";
import { type DescribedView, describeView, wantedViews } from "./view-rules.ts";

/** Takes the views away where migrations are to come: under a view no table can be altered at will. */
export const clearViews = async (
  db: Kysely<Tables>,
  pendingMigrations: () => Promise<readonly string[]>,
): Promise<void> => {
  const views = await listViews(db);
  if (views.length === 0 || (await pendingMigrations()).length === 0) return;
  await db.transaction().execute(async (trx) => {
    for (const { name } of views) await dropView(trx, name);
  });
};

const describeAll = async (
  trx: Kysely<Tables>,
  config: IdentityConfig,
): Promise<{ views: DescribedView[]; problems: string[] }> => {
  const views: DescribedView[] = [];
  const problems: string[] = [];
  for (const wanted of wantedViews(config)) {
    const described = describeView(wanted, await listColumns(trx, wanted.table));
    problems.push(...described.problems);
    if (views.some(({ name }) => name === described.view.name))
      problems.push(`${wanted.table}.modelName: another table has the name ${wanted.name} too`);
    views.push(described.view);
  }
  return { views, problems };
};

/**
 * Makes the views that the options ask for, under their names and with their columns, and takes those away that they ask
 * for no longer. All or nothing; a view that is as it should be is not touched. Throws a `ConfigurationError` with every
 * field that does not exist and every name that something else has.
 */
export const syncViews = (db: Kysely<Tables>, config: IdentityConfig): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const { views, problems } = await describeAll(trx, config);
    const isWanted = (there: { name: string; comment: string }) =>
      views.some(({ name, comment }) => name === there.name && comment === there.comment);
    const there = await listViews(trx);
    for (const view of there) if (!isWanted(view)) await dropView(trx, view.name);
    const kept = new Set(there.filter(isWanted).map(({ name }) => name));
    const missing = views.filter(({ name }) => !kept.has(name));
    const names = missing.map(({ name }) => name);
    const taken = new Set(await listTaken(trx, names));
    for (const { table, name } of wantedViews(config))
      if (taken.has(name))
        problems.push(`${table}.modelName: ${name} is the name of something else in the database`);
    if (problems.length > 0) throw new ConfigurationError(problems);
    for (const view of missing) await createView(trx, view);
  });
