import type { Kysely, Transaction } from "kysely";
import { isDeadlock, isUniqueViolation } from "../database/constraint-errors.ts";
import {
  deleteTaken,
  forgetTaken,
  insertTaken,
  listUntouched,
  type TakenInto,
  type TakenModel,
  updateTaken,
  writeAlike,
} from "./queries.ts";
import type { GivenRow } from "./source-batch.ts";
import type { TakeOverTables } from "./taken-table.ts";

const triesMax = 5;

/** Runs an import transaction, and retries it if a concurrent one takes the same value or deadlocks with it. */
export const takeOverTransaction = async <Tables extends TakeOverTables, T>(
  db: Kysely<Tables>,
  work: (trx: Transaction<Tables>) => Promise<T>,
  tries = triesMax,
): Promise<T> => {
  try {
    return await db.transaction().execute(async (trx) => {
      await writeAlike(trx as unknown as Kysely<never>);
      return work(trx);
    });
  } catch (error) {
    if (tries > 1 && (isUniqueViolation(error) || isDeadlock(error)))
      return takeOverTransaction(db, work, tries - 1);
    throw error;
  }
};

/** Imports rows into a table: everything except reading them. */
export const createTableTaker = <Tables extends TakeOverTables>(
  db: Kysely<Tables>,
  into: TakenInto,
) => ({
  insert: (rows: GivenRow<object>[], { source, model }: TakenModel) =>
    takeOverTransaction(db, (trx) => insertTaken(trx, into, { source, model, rows })),
  update: (rows: GivenRow<object>[], { source, model }: TakenModel) =>
    takeOverTransaction(db, (trx) => updateTaken(trx, into, { source, model, rows })),
  remove: (keys: string[], { source, model }: TakenModel) =>
    takeOverTransaction(db, async (trx) => {
      const removed = await deleteTaken(trx, into, { source, model, keys });
      await forgetTaken(trx, { source, model, keys });
      return removed;
    }),
  untouched: (keys: string[], { source, model }: TakenModel) =>
    takeOverTransaction(db, (trx) => listUntouched(trx, into, { source, model, keys })),
});
