import { addDays, dayOf, inBatches } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { deleteUsageBefore } from "./queries.ts";

const batchSize = 1_000;

/** Deletes counts that are older than the configured retention. */
export const sweepUsage = async ({
  config,
  db,
  clock,
}: Pick<Deps, "clock" | "config" | "db">): Promise<void> => {
  const before = addDays(dayOf(clock()), -config.apiKey.usageRetentionDays);
  await inBatches(batchSize, (limit) => deleteUsageBefore(db, before, limit));
};
