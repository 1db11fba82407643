import { type Kysely, sql } from "kysely";
import type { KitTables } from "../database/kit-tables.ts";

const keptMilliseconds = 30 * 86_400_000;
const batchMax = 1_000;

/** Deletes inbox rows older than 30 days, a bounded batch at a time, and returns how many. */
export const sweepInbox = async <Tables extends KitTables>(
  db: Kysely<Tables>,
  { clock }: { clock: () => number },
): Promise<number> => {
  const kit = db as unknown as Kysely<KitTables>;
  const before = new Date(clock() - keptMilliseconds);
  let total = 0;
  for (;;) {
    const { numDeletedRows } = await kit
      .deleteFrom("inbox")
      .where(
        ({ refTuple, selectFrom }) =>
          sql<boolean>`${refTuple("eventId", "consumer")} in ${selectFrom("inbox")
            .select(["eventId", "consumer"])
            .where("doneAt", "<", before)
            .orderBy("doneAt")
            .limit(batchMax)
            .forUpdate()
            .skipLocked()}`,
      )
      .executeTakeFirstOrThrow();
    total += Number(numDeletedRows);
    if (numDeletedRows < BigInt(batchMax)) return total;
  }
};
