import type { Deps } from "../deps.ts";
import { deleteSettledDeliveries } from "./queries.ts";

const keptMilliseconds = 30 * 86_400_000;
const batchSize = 1_000;

/** Deletes mails that were settled more than 30 days ago, in batches so that no lock is held for long. */
export const sweepDeliveries = async (deps: Pick<Deps, "clock" | "db">): Promise<number> => {
  const before = new Date(deps.clock() - keptMilliseconds);
  let swept = 0;
  for (;;) {
    const count = await deleteSettledDeliveries(deps.db, before, batchSize);
    swept += count;
    if (count < batchSize) return swept;
  }
};
