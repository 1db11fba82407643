import { inBatches } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { deleteSettledDeliveries } from "./queries.ts";

const keptMilliseconds = 30 * 86_400_000;
const batchSize = 1_000;

/** Deletes mails that were settled more than 30 days ago and returns their number. */
export const sweepDeliveries = (deps: Pick<Deps, "clock" | "db">): Promise<number> => {
  const before = new Date(deps.clock() - keptMilliseconds);
  return inBatches(batchSize, (limit) => deleteSettledDeliveries(deps.db, before, limit));
};
