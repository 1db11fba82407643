import { inBatches } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { departedMilliseconds } from "../owners/sweep-departed-owners.ts";
import { forgetUsage } from "../usage/forget-usage.ts";
import { deleteDepartedOrganizations, listDepartedOrganizations } from "./queries.ts";

const batchSize = 1_000;

/** Deletes records of deleted organizations that are so old that no request can be in flight. Deletes late counts first. */
export const sweepDepartedOrganizations = async ({
  db,
  clock,
}: Pick<Deps, "clock" | "db">): Promise<void> => {
  const before = new Date(clock() - departedMilliseconds);
  await inBatches(batchSize, async (limit) => {
    const organizationIds = await listDepartedOrganizations(db, before, limit);
    await forgetUsage({ db }, { organizationIds });
    await deleteDepartedOrganizations(db, organizationIds);
    return organizationIds.length;
  });
};
