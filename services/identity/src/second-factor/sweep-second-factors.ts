import { inBatches } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { deleteExpiredChallenges } from "./challenge-queries.ts";
import { deleteExpiredMailedCodes } from "./mailed-code-queries.ts";
import { deleteExpiredPending } from "./queries.ts";
import { deleteExpiredTrustedDevices } from "./trusted-device-queries.ts";

const batchSize = 1_000;

/** Deletes expired sign-ins, mailed codes, trusted browsers and prepared apps. Returns the number. */
export const sweepSecondFactors = async ({
  clock,
  db,
}: Pick<Deps, "clock" | "db">): Promise<number> => {
  const now = new Date(clock());
  let total = 0;
  for (const deleteExpired of [
    deleteExpiredChallenges,
    deleteExpiredMailedCodes,
    deleteExpiredTrustedDevices,
    deleteExpiredPending,
  ])
    total += await inBatches(batchSize, (limit) => deleteExpired(db, now, limit));
  return total;
};
