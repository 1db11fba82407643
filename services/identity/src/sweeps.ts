import { inBatches } from "@latchkey/service-kit/database";
import { addDays, dayOf } from "@latchkey/service-kit/statistics";
import type { Deps } from "./deps.ts";
import { deleteExpiredCodes, deletePassedGuesses } from "./email-codes/queries.ts";
import { deleteExpiredChallenges } from "./rows/challenges.ts";
import { deleteExpiredMailedCodes } from "./second-factor/mailed-codes.ts";
import { deleteExpiredPending } from "./rows/second-factors.ts";
import { deleteExpiredTrustedDevices } from "./rows/trusted-devices.ts";
import { deleteRefusalsBefore } from "./refused-sign-ins/queries.ts";

const batchSize = 1_000;

/** The window of the text messages of a day, which are counted in the same table. */
const daySeconds = 86_400;

/** An expired code is kept for some time, so that a late attempt learns that it has expired. */
const keptMilliseconds = 3_600_000;

/** Deletes expired codes, and counts of wrong codes whose window has passed. Returns the number. */
export const sweepCodes = async ({
  clock,
  config,
  db,
}: Pick<Deps, "clock" | "config" | "db">): Promise<number> => {
  const expired = new Date(clock() - keptMilliseconds);
  const windows = [config.emailOTP, config.phoneNumber].map(({ guesses }) => guesses.window);
  const passed = new Date(clock() - Math.max(...windows, daySeconds) * 1000);
  const codes = await inBatches(batchSize, (limit) => deleteExpiredCodes(db, expired, limit));
  const guesses = await inBatches(batchSize, (limit) => deletePassedGuesses(db, passed, limit));
  return codes + guesses;
};

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

/** Deletes refused sign-ins that are older than the configured retention. Returns the number. */
export const sweepRefusals = ({
  clock,
  config,
  db,
}: Pick<Deps, "clock" | "config" | "db">): Promise<number> => {
  const { refusedSignInRetentionDays } = config.admin;
  const before = new Date(addDays(dayOf(clock()), -refusedSignInRetentionDays));
  return inBatches(batchSize, (limit) => deleteRefusalsBefore(db, before, limit));
};
