import { inBatches } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { deleteDeparted } from "./queries.ts";

/** Longer than the bus usually needs to deliver requests from before the deletion. */
const keptMilliseconds = 86_400_000;
const batchSize = 1_000;

/** Deletes the records of users who were deleted more than a day ago. */
export const sweepDepartedUsers = async ({
  db,
  clock,
}: Pick<Deps, "clock" | "db">): Promise<void> => {
  const before = new Date(clock() - keptMilliseconds);
  await inBatches(batchSize, (limit) => deleteDeparted(db, before, limit));
};
