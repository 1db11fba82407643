import type { Kysely } from "kysely";
import { deleteRowsBefore, inBatches } from "../database/in-batches.ts";
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
  return inBatches(batchMax, (limit) =>
    deleteRowsBefore(kit, "inbox", {
      key: ["eventId", "consumer"],
      column: "doneAt",
      before,
      limit,
    }),
  );
};
