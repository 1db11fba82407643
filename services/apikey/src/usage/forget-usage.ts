import { inBatches } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { deleteUsageOf } from "./queries.ts";

const batchSize = 1_000;

/** Deletes the counts of uses of all keys that some users had. */
export const forgetUsage = async (
  { db }: Pick<Deps, "db">,
  userIds: readonly string[],
): Promise<void> => {
  await inBatches(batchSize, (limit) => deleteUsageOf(db, userIds, limit));
};
