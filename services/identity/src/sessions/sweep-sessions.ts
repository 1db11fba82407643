import { inBatches } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { deleteExpiredSessions } from "./queries.ts";

const batchSize = 1_000;

/** Deletes the rows of expired sessions. Returns the number. */
export const sweepSessions = (deps: Pick<Deps, "clock" | "db">): Promise<number> => {
  const now = new Date(deps.clock());
  return inBatches(batchSize, (limit) => deleteExpiredSessions(deps.db, now, limit));
};
