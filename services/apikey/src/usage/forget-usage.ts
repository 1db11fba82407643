import { inBatches } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { deleteUsageOf, type UsageOwners } from "./queries.ts";

const batchSize = 1_000;

/** Deletes the counts of uses of all keys that some owners had. */
export const forgetUsage = async ({ db }: Pick<Deps, "db">, owners: UsageOwners): Promise<void> => {
  await inBatches(batchSize, (limit) => deleteUsageOf(db, owners, limit));
};
