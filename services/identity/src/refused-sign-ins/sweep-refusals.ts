import { addDays, dayOf, inBatches } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { deleteRefusalsBefore } from "./queries.ts";

const batchSize = 1_000;

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
