import { inBatches } from "@latchkey/service-kit";
import type { Deps } from "../../deps.ts";
import { countedMilliseconds } from "./record-issued.ts";
import { deleteIssued } from "./queries.ts";

const batchSize = 1_000;

/** Deletes records of invitations that are too old to count. */
export const sweepIssuedInvitations = async ({
  db,
  clock,
}: Pick<Deps, "clock" | "db">): Promise<void> => {
  const before = new Date(clock() - countedMilliseconds);
  await inBatches(batchSize, (limit) => deleteIssued(db, before, limit));
};
