import { inBatches } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { deleteExpiredCodes, deletePassedGuesses } from "./queries.ts";

const batchSize = 1_000;

/** An expired code is kept for some time, so that a late attempt learns that it has expired. */
const keptMilliseconds = 3_600_000;

/** Deletes expired codes, and counts of wrong codes whose window has passed. Returns the number. */
export const sweepCodes = async ({
  clock,
  config,
  db,
}: Pick<Deps, "clock" | "config" | "db">): Promise<number> => {
  const expired = new Date(clock() - keptMilliseconds);
  const passed = new Date(clock() - config.emailOTP.guesses.window * 1000);
  const codes = await inBatches(batchSize, (limit) => deleteExpiredCodes(db, expired, limit));
  const guesses = await inBatches(batchSize, (limit) => deletePassedGuesses(db, passed, limit));
  return codes + guesses;
};
