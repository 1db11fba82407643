import type { Kysely } from "kysely";
import { ConfigurationError } from "../config/configuration-error.ts";
import { inPatientTransaction } from "../database/patience.ts";
import { createView, dropView, listColumns, listImported, listViews } from "./queries.ts";
import { type DescribedView, describeView, type WantedView } from "./view-rules.ts";

/** Drops the views if migrations are pending, because a view restricts changes of its table. */
export const clearViews = async (
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
export const syncViews = (
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
    const kept = new Set(there.filter(isWanted).map(({ name }) => name));
    const missing = views.filter(({ name }) => !kept.has(name));
    const names = missing.map(({ name }) => name);
    const taken = new Set(await listImported(trx, schema, names));
    for (const { option, name } of wantedViews)
      if (taken.has(name))
        problems.push(`${option}.modelName: ${name} is the name of something else in the database`);
    if (problems.length > 0) throw new ConfigurationError(problems);
    for (const view of missing) await createView(trx, schema, view);
  });
