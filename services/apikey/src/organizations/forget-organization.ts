import type { Event } from "@latchkey/contracts";
import { inBatches } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { batchSize, eraseKeys } from "../owners/erase-keys.ts";
import { lockKeysOf } from "../owners/queries.ts";
import { forgetUsage } from "../usage/forget-usage.ts";
import { upsertDepartedOrganization } from "./queries.ts";

/**
 * Deletes the keys of a deleted organization and the counts of their uses. The organization is recorded as departed first, behind a lock on
 * its keys, so that no key can appear after a step has passed. Each step works on the remaining rows, so that it may be run again.
 */
export const forgetOrganization = async (
  deps: Pick<Deps, "clock" | "db">,
  { data: { organizationId } }: Event<"organization.deleted">,
): Promise<void> => {
  const owner = { organizationId };
  await deps.db.transaction().execute(async (trx) => {
    await lockKeysOf(trx, owner);
    await upsertDepartedOrganization(trx, organizationId, new Date(deps.clock()));
  });
  await inBatches(batchSize, (limit) => eraseKeys(deps, { owner, limit }));
  await forgetUsage(deps, { organizationIds: [organizationId] });
};
