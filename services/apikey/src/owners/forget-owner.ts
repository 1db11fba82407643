import type { Event } from "@latchkey/contracts";
import { inBatches } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { forgetUsage } from "../usage/forget-usage.ts";
import { clearCreator } from "./created-keys.ts";
import { batchSize, eraseKeys } from "./erase-keys.ts";
import { lockKeysOf, upsertDeparted } from "./queries.ts";

type Needs = Pick<Deps, "clock" | "db">;

/**
 * Deletes the keys of a deleted user and the counts of their uses, and forgets which keys of organizations they created. The user is recorded as departed first, behind a lock on their keys.
 * Therefore no key can appear after a step has passed. Each step works on the remaining rows, so that it may be interrupted and run again.
 */
export const forgetOwner = async (
  deps: Needs,
  { data: { userId } }: Event<"user.deleted">,
): Promise<void> => {
  await deps.db.transaction().execute(async (trx) => {
    await lockKeysOf(trx, { userId });
    await upsertDeparted(trx, userId, new Date(deps.clock()));
  });
  await inBatches(batchSize, (limit) => eraseKeys(deps, { owner: { userId }, limit }));
  await clearCreator(deps.db, userId);
  await forgetUsage(deps, { userIds: [userId] });
};
