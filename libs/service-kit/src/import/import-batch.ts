import { listImported } from "./queries.ts";
import type { GivenRow, SourceBatch, ImportNote, ImportedBatch } from "./source-batch.ts";
import type { ImportTables } from "./imported-row-table.ts";
import type { Kysely } from "kysely";

/** The planned result of importing rows of another database. */
export interface ImportPlan<Row> {
  rows: GivenRow<Row>[];
  left: ImportNote[];
  noted: ImportNote[];
}

/**
 * Plans rows one by one. `readRow` returns the values to write, or the reason for which the row is left out. The notes that it adds are
 * reported if the row is written.
 */
export const planRows = <Values, Row extends object>(
  given: readonly GivenRow<Values>[],
  readRow: (row: GivenRow<Values>, addNote: (reason: string) => void) => Row | string,
): ImportPlan<Row> => {
  const plan: ImportPlan<Row> = { rows: [], left: [], noted: [] };
  for (const row of given) {
    const { key, hash } = row;
    const values = readRow(row, (reason) => plan.noted.push({ key, reason }));
    if (typeof values === "string") plan.left.push({ key, reason: values });
    else plan.rows.push({ key, hash, values });
  }
  return plan;
};

/** Imports rows of one kind. Each change returns the keys whose rows were unchanged since their import, or free. */
export interface Importer<Values, Row> {
  /** Plans the import and leaves out invalid rows. `known` are the keys that were imported before. */
  plan(
    given: readonly GivenRow<Values>[],
    known: ReadonlySet<string>,
    batch: SourceBatch<Values>,
  ): Promise<ImportPlan<Row>>;
  insert(rows: GivenRow<Row>[], batch: SourceBatch<Values>): Promise<Set<string>>;
  update(rows: GivenRow<Row>[], batch: SourceBatch<Values>): Promise<Set<string>>;
  /** Deletes rows that were deleted there, and deletes all of their import records. Without this method they stay. */
  remove?(keys: string[], batch: SourceBatch<Values>): Promise<Set<string>>;
  /**
   * Whether rows that can no longer be imported are deleted here. Set it if the row would otherwise grant access that it no
   * longer grants there.
   */
  endsRefused?: boolean;
  /**
   * Returns the rows of the batch of which nothing more is imported, because of what happened here. They are neither planned
   * nor written, and rows that belong to them are left out as well.
   */
  listLost?(batch: SourceBatch<Values>): Promise<ImportNote[]>;
  /** Returns the keys that an update or a removal would find unchanged. */
  untouched(keys: string[], batch: SourceBatch<Values>): Promise<Set<string>>;
}

const changedHere = "it was changed here since";
const goneThere = "it is gone there, and was changed or removed here since";
const unavailableReason = "it is taken here, or what it belongs to is gone here";

const leftOut = (keys: readonly string[], done: ReadonlySet<string>, reason: string) =>
  keys.filter((key) => !done.has(key)).map((key) => ({ key, reason }));

/**
 * Synchronizes rows with another database: inserts new ones, and follows changed and deleted ones unless they were changed
 * here. The record of each row commits with the change itself, so that an interrupted run can be repeated.
 */
export const importBatch = async <Values, Row, Tables extends ImportTables>(
  { db }: { db: Kysely<Tables> },
  importer: Importer<Values, Row>,
  batch: SourceBatch<Values>,
): Promise<ImportedBatch> => {
  const hashByKey = await listImported(db, batch);
  const there = new Set(batch.rows.map(({ key }) => key));
  const lost = (await importer.listLost?.(batch)) ?? [];
  const lostKeys = new Set(lost.map(({ key }) => key));
  const rows = batch.rows.filter(({ key }) => !lostKeys.has(key));
  const stale = rows.filter(({ key, hash }) => hashByKey.get(key) !== hash);
  const vanished = importer.remove ? [...hashByKey.keys()].filter((key) => !there.has(key)) : [];
  const loadedRows = stale.length > 0 ? await batch.load(stale.map(({ key }) => key)) : [];
  const plan = await importer.plan(loadedRows, new Set(hashByKey.keys()), batch);
  // Rows that were changed here keep their records, so that no later run imports them again.
  const refused = importer.endsRefused
    ? plan.left.map(({ key }) => key).filter((key) => hashByKey.has(key))
    : [];
  const ended = refused.length > 0 ? await importer.untouched(refused, batch) : new Set<string>();
  const gone = [...vanished, ...ended];
  const fresh = plan.rows.filter(({ key }) => !hashByKey.has(key));
  const changed = plan.rows.filter(({ key }) => hashByKey.has(key));
  const keys = changed.map(({ key }) => key);
  const none = new Set<string>();
  const apply = {
    insert: () =>
      batch.isDryRun ? new Set(fresh.map(({ key }) => key)) : importer.insert(fresh, batch),
    update: () =>
      batch.isDryRun ? importer.untouched(keys, batch) : importer.update(changed, batch),
    remove: () =>
      batch.isDryRun ? importer.untouched(gone, batch) : (importer.remove?.(gone, batch) ?? none),
  };
  const removed = gone.length > 0 ? await apply.remove() : none;
  const updated = changed.length > 0 ? await apply.update() : none;
  const inserted = fresh.length > 0 ? await apply.insert() : none;
  return {
    added: inserted.size,
    changed: updated.size,
    same: rows.length - stale.length,
    removed: removed.size,
    left: [
      ...lost,
      ...[
        ...plan.left,
        ...leftOut(keys, updated, changedHere),
        ...leftOut(
          fresh.map(({ key }) => key),
          inserted,
          unavailableReason,
        ),
        ...leftOut(vanished, removed, goneThere),
      ].map(({ key, reason }) => ({
        key,
        reason,
        isHere: hashByKey.has(key) && !removed.has(key),
      })),
    ],
    noted: plan.noted.filter(({ key }) => inserted.has(key) || updated.has(key)),
  };
};
