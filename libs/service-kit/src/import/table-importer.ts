import type { Kysely, Transaction } from "kysely";
import { isDeadlock, isUniqueViolation } from "../database/constraint-errors.ts";
import {
  deleteImported,
  forgetImported,
  insertImported,
  listUntouched,
  type ImportTarget,
  type ImportModel,
  updateImported,
  writeAlike,
} from "./queries.ts";
import type { GivenRow } from "./source-batch.ts";
import type { ImportTables } from "./imported-row-table.ts";

const triesMax = 5;

/** Runs an import transaction, and retries it if a concurrent one takes the same value or deadlocks with it. */
export const importTransaction = async <Tables extends ImportTables, T>(
  db: Kysely<Tables>,
  work: (trx: Transaction<Tables>) => Promise<T>,
  tries = triesMax,
): Promise<T> => {
  try {
    return await db.transaction().execute(async (trx) => {
      await writeAlike(trx);
      return work(trx);
    });
  } catch (error) {
    if (tries > 1 && (isUniqueViolation(error) || isDeadlock(error)))
      return importTransaction(db, work, tries - 1);
    throw error;
  }
};

const untouchedOf = <Tables extends ImportTables>(
  db: Kysely<Tables>,
  into: ImportTarget,
  rows: ImportModel & { keys: string[] },
): Promise<Set<string>> => importTransaction(db, (trx) => listUntouched(trx, into, rows));

/**
 * Imports rows into a table: everything except reading them. `end` removes rows as their owner would here, and returns the ids of those that
 * it has removed. Without it they are deleted.
 */
export const createTableImporter = <Tables extends ImportTables>(
  db: Kysely<Tables>,
  into: ImportTarget,
  end?: (ids: string[]) => Promise<Set<string>>,
) => ({
  insert: (rows: GivenRow<object>[], { source, model }: ImportModel) =>
    importTransaction(db, (trx) => insertImported(trx, into, { source, model, rows })),
  update: (rows: GivenRow<object>[], { source, model }: ImportModel) =>
    importTransaction(db, (trx) => updateImported(trx, into, { source, model, rows })),
  remove: async (keys: string[], { source, model }: ImportModel) => {
    if (end) {
      const removed = await end([...(await untouchedOf(db, into, { source, model, keys }))]);
      await forgetImported(db, { source, model, keys });
      return removed;
    }
    return importTransaction(db, async (trx) => {
      const removed = await deleteImported(trx, into, { source, model, keys });
      await forgetImported(trx, { source, model, keys });
      return removed;
    });
  },
  untouched: (keys: string[], { source, model }: ImportModel) =>
    untouchedOf(db, into, { source, model, keys }),
});
