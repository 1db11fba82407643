import { type Kysely, sql } from "kysely";
import { inBatches } from "../database/in-batches.ts";
import type { KitTables } from "../database/kit-tables.ts";

const keptMilliseconds = 30 * 86_400_000;
const batchMax = 1_000;

/** Deletes inbox rows older than 30 days in bounded batches and returns their number. */
export const sweepInbox = async <Tables extends KitTables>(
  db: Kysely<Tables>,
  { clock }: { clock: () => number },
): Promise<number> => {
  const kit = db as unknown as Kysely<KitTables>;
  const before = new Date(clock() - keptMilliseconds);
  return inBatches(batchMax, async (limit) => {
    const { numDeletedRows } = await kit
      .deleteFrom("inbox")
      .where(
        ({ refTuple, selectFrom }) =>
          sql<boolean>`${refTuple("eventId", "consumer")} in ${selectFrom("inbox")
            .select(["eventId", "consumer"])
            .where("doneAt", "<", before)
            .orderBy("doneAt")
            .limit(limit)
            .forUpdate()
            .skipLocked()}`,
      )
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  });
};
