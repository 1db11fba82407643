import type { Deps } from "../deps.ts";
import { deleteExpiredSessions } from "./queries.ts";

const batchSize = 1_000;

/** Deletes the rows of sessions that have expired, in batches so that no lock is held for long. */
export const sweepSessions = async (deps: Pick<Deps, "clock" | "db">): Promise<number> => {
  const now = new Date(deps.clock());
  let swept = 0;
  for (;;) {
    const count = await deleteExpiredSessions(deps.db, now, batchSize);
    swept += count;
    if (count < batchSize) return swept;
  }
};
