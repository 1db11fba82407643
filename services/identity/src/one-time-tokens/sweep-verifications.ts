import { inBatches } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { deleteExpiredVerifications } from "./queries.ts";

const batchSize = 1_000;

/** Deletes expired single-use tokens, unless the options keep them. Returns the number. */
export const sweepVerifications = async (
  deps: Pick<Deps, "clock" | "config" | "db">,
): Promise<number> => {
  if (deps.config.verification.disableCleanup) return 0;
  const now = new Date(deps.clock());
  return inBatches(batchSize, (limit) => deleteExpiredVerifications(deps.db, now, limit));
};
