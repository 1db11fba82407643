import { inBatches } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { forgetUsage } from "../usage/forget-usage.ts";
import { deleteOwners, listDeparted } from "./queries.ts";

/** Far longer than what a gateway vouches for lives. */
const keptMilliseconds = 3_600_000;
const batchSize = 1_000;

/**
 * Forgets users who ceased to exist so long ago that no request of theirs is on its way. Counts that were being written while they
 * were deleted go first: once they are forgotten, nobody would know whose those are.
 */
export const sweepDepartedOwners = async ({
  db,
  clock,
}: Pick<Deps, "clock" | "db">): Promise<void> => {
  const before = new Date(clock() - keptMilliseconds);
  await inBatches(batchSize, async (limit) => {
    const userIds = await listDeparted(db, before, limit);
    await forgetUsage({ db }, userIds);
    await deleteOwners(db, userIds);
    return userIds.length;
  });
};
