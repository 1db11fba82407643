import type { Event } from "@latchkey/contracts";
import { inBatches } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { batchSize, eraseCreatedKeys, eraseKeys } from "./erase-keys.ts";
import { lockKeysOf, upsertClaimed } from "./queries.ts";

/**
 * Deletes the keys that a user had, and those that they had created for organizations, when the verified owner of the address claimed the user. The attacker who registered the address may
 * hold any of them, also one that a service or an admin made. The claim is recorded first. From then on earlier keys are rejected, and none
 * is created in an earlier session.
 */
export const endKeysOfClaimed = async (
  deps: Pick<Deps, "clock" | "db">,
  { data: { userId }, occurredAt }: Event<"user.claimed">,
): Promise<void> => {
  const claimedAt = new Date(occurredAt);
  await deps.db.transaction().execute(async (trx) => {
    await lockKeysOf(trx, { userId });
    await upsertClaimed(trx, userId, claimedAt);
  });
  await inBatches(batchSize, (limit) =>
    eraseKeys(deps, { owner: { userId }, createdUntil: claimedAt, limit }),
  );
  await inBatches(batchSize, (limit) =>
    eraseCreatedKeys(deps, { userId, createdUntil: claimedAt, limit }),
  );
};
