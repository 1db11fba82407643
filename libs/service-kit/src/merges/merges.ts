import type { ColumnType, Kysely, Transaction } from "kysely";
import { deleteRowsBefore, inBatches } from "../database/in-batches.ts";
import type { WrittenOnce } from "../database/kit-tables.ts";
import type { MigratedDatabase } from "../database/schema-migration.ts";

// The records of a service about merges of two users: what each merge changed there, so that it can be undone.

interface UserMergeTable {
  mergeId: WrittenOnce<string>;
  mergedUserId: WrittenOnce<string>;
  /** All that the merge moved, as JSON in the form of the service. Null until it has moved something. */
  moved: ColumnType<unknown, null, string>;
  /** Its undo was processed, perhaps before the merge itself, which then changes nothing. */
  undone: boolean;
  recordedAt: WrittenOnce<Date>;
}

export interface MergeTables {
  userMerge: UserMergeTable;
}

/** Creates the table of the records. */
export const createMergeTable = async (db: MigratedDatabase): Promise<void> => {
  await db.schema
    .createTable("user_merge")
    .addColumn("merge_id", "text", (column) => column.primaryKey())
    .addColumn("merged_user_id", "text", (column) => column.notNull())
    .addColumn("moved", "jsonb")
    .addColumn("undone", "boolean", (column) => column.notNull())
    .addColumn("recorded_at", "timestamptz", (column) => column.notNull())
    .execute();
  for (const column of ["merged_user_id", "recorded_at"])
    await db.schema
      .createIndex(`user_merge_by_${column}`)
      .on("user_merge")
      .column(column)
      .execute();
};

interface RecordedMerge {
  mergeId: string;
  mergedUserId: string;
  recordedAt: Date;
}

/** The types of Kysely resolve no table of a type parameter. */
const recordsOf = <Tables extends MergeTables>(
  trx: Transaction<Tables>,
): Transaction<MergeTables> => trx as unknown as Transaction<MergeTables>;

/**
 * Records a merge. Returns false if it, or its undo, was recorded before. Throws while the undo of an earlier merge of the same user is yet to
 * arrive, so that the event is delivered again after it. The caller has locked the keys or memberships of both users.
 */
export const beginMerge = async <Tables extends MergeTables>(
  trx: Transaction<Tables>,
  merge: RecordedMerge,
): Promise<boolean> => {
  const records = recordsOf(trx);
  const inserted = await records
    .insertInto("userMerge")
    .values({ ...merge, moved: null, undone: false })
    .onConflict((conflict) => conflict.doNothing())
    .returning("mergeId")
    .executeTakeFirst();
  if (!inserted) return false;
  const other = await records
    .selectFrom("userMerge")
    .select("mergeId")
    .where("mergedUserId", "=", merge.mergedUserId)
    .where("mergeId", "!=", merge.mergeId)
    .where("undone", "=", false)
    .executeTakeFirst();
  if (other) throw new Error("the undo of an earlier merge of the user has not arrived yet");
  return true;
};

/** Records what a merge moved. */
export const recordMoved = async <Tables extends MergeTables>(
  trx: Transaction<Tables>,
  mergeId: string,
  moved: object,
): Promise<void> => {
  await recordsOf(trx)
    .updateTable("userMerge")
    .set({ moved: JSON.stringify(moved) })
    .where("mergeId", "=", mergeId)
    .execute();
};

/**
 * Records the undo of a merge, and returns what the merge moved, as the service has recorded it. Returns undefined the second time, for a merge
 * that moved nothing, and for one that is yet to arrive.
 */
export const endMerge = async <Tables extends MergeTables>(
  trx: Transaction<Tables>,
  merge: RecordedMerge,
): Promise<unknown> => {
  const ended = await recordsOf(trx)
    .insertInto("userMerge")
    .values({ ...merge, moved: null, undone: true })
    .onConflict((conflict) =>
      conflict
        .column("mergeId")
        .doUpdateSet({ undone: true })
        .where("userMerge.undone", "=", false),
    )
    .returning("moved")
    .executeTakeFirst();
  return ended?.moved ?? undefined;
};

/** Longer than a merge can be undone, with a day for events that arrive late. */
const keptMilliseconds = 2 * 86_400_000;
const batchSize = 1_000;

/** Deletes the records of merges that can no longer be undone. */
export const sweepMerges = async <Tables extends MergeTables>({
  db,
  clock,
}: {
  db: Kysely<Tables>;
  clock: () => number;
}): Promise<void> => {
  const before = new Date(clock() - keptMilliseconds);
  const records = db as unknown as Kysely<MergeTables>; // as in `recordsOf`
  await inBatches(batchSize, (limit) =>
    deleteRowsBefore(records, "userMerge", {
      key: ["mergeId"],
      column: "recordedAt",
      before,
      limit,
    }),
  );
};
