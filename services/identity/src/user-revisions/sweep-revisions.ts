import { inBatches } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { cachedSessionMilliseconds } from "./cached-session-milliseconds.ts";
import { deleteOldRevisions } from "./queries.ts";

const batchSize = 1_000;

/** Deletes the revisions that no cached session can be older than. Returns the number. */
export const sweepRevisions = (deps: Pick<Deps, "clock" | "config" | "db">): Promise<number> => {
  const before = new Date(deps.clock() - cachedSessionMilliseconds(deps.config));
  return inBatches(batchSize, (limit) => deleteOldRevisions(deps.db, before, limit));
};
