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

/** Imports rows into a table: everything except reading them. */
export const createTableImporter = <Tables extends ImportTables>(
  db: Kysely<Tables>,
  into: ImportTarget,
) => ({
  insert: (rows: GivenRow<object>[], { source, model }: ImportModel) =>
    importTransaction(db, (trx) => insertImported(trx, into, { source, model, rows })),
  update: (rows: GivenRow<object>[], { source, model }: ImportModel) =>
    importTransaction(db, (trx) => updateImported(trx, into, { source, model, rows })),
  remove: (keys: string[], { source, model }: ImportModel) =>
    importTransaction(db, async (trx) => {
      const removed = await deleteImported(trx, into, { source, model, keys });
      await forgetImported(trx, { source, model, keys });
      return removed;
    }),
  untouched: (keys: string[], { source, model }: ImportModel) =>
    importTransaction(db, (trx) => listUntouched(trx, into, { source, model, keys })),
});
