import { inBatches } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { forgetUsage } from "../usage/forget-usage.ts";
import { deleteOwners, listDeparted } from "./queries.ts";

/** How long a deleted owner is remembered: far longer than the lifetime of a gateway's signed caller. */
export const departedMilliseconds = 3_600_000;
const batchSize = 1_000;

/**
 * Deletes records of departed users that are so old that no request of theirs can be in flight. Deletes counts that were written during the
 * deletion first, because without the record nobody could find them.
 */
export const sweepDepartedOwners = async ({
  db,
  clock,
}: Pick<Deps, "clock" | "db">): Promise<void> => {
  const before = new Date(clock() - departedMilliseconds);
  await inBatches(batchSize, async (limit) => {
    const userIds = await listDeparted(db, before, limit);
    await forgetUsage({ db }, { userIds });
    await deleteOwners(db, userIds);
    return userIds.length;
  });
};
