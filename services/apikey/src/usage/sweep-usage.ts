import { addDays, dayOf, inBatches } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { deleteUsageBefore } from "./queries.ts";

const batchSize = 1_000;

/** Deletes the counts of days that are past the time that they are kept. */
export const sweepUsage = async ({
  config,
  db,
  clock,
}: Pick<Deps, "clock" | "config" | "db">): Promise<void> => {
  const before = addDays(dayOf(clock()), -config.apiKey.usageRetentionDays);
  await inBatches(batchSize, (limit) => deleteUsageBefore(db, before, limit));
};
