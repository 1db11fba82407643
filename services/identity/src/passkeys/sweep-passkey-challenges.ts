import { inBatches } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { deleteExpiredPasskeyChallenges } from "./challenge-queries.ts";

const batchSize = 1_000;

/** Deletes expired challenges. Returns the number. */
export const sweepPasskeyChallenges = ({
  clock,
  db,
}: Pick<Deps, "clock" | "db">): Promise<number> => {
  const now = new Date(clock());
  return inBatches(batchSize, (limit) => deleteExpiredPasskeyChallenges(db, now, limit));
};
