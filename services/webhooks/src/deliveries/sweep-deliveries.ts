import { inBatches } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import {
  deleteOldDeliveries,
  deleteOldEvents,
  deleteOldHours,
  deleteOrphans,
} from "./retention/queries.ts";

const batchSize = 1_000;
const dayMilliseconds = 86_400_000;

/** Deletes events and deliveries after their retention, pending ones too, and all that deleted endpoints left. */
export const sweepDeliveries = async ({
  clock,
  config,
  db,
}: Pick<Deps, "clock" | "config" | "db">): Promise<void> => {
  const before = new Date(clock() - config.webhooks.retentionDays * dayMilliseconds);
  await inBatches(batchSize, (limit) => deleteOldDeliveries(db, before, limit));
  await inBatches(batchSize, (limit) => deleteOldEvents(db, before, limit));
  for (const table of ["delivery", "lane"] as const)
    await inBatches(batchSize, (limit) => deleteOrphans(db, table, limit));
  await deleteOldHours(db, before);
};
