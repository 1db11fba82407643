import { inBatches } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { deleteDeparted } from "./queries.ts";

/** Far longer than what a gateway vouches for lives. */
const keptMilliseconds = 3_600_000;
const batchSize = 1_000;

/** Forgets users who ceased to exist so long ago that no request of theirs is on its way. */
export const sweepDepartedOwners = async ({
  db,
  clock,
}: Pick<Deps, "clock" | "db">): Promise<void> => {
  const before = new Date(clock() - keptMilliseconds);
  await inBatches(batchSize, (limit) => deleteDeparted(db, before, limit));
};
