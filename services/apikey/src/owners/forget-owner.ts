import type { Event } from "@latchkey/contracts";
import { appendAudits, inBatches } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { forgetUsage } from "../usage/forget-usage.ts";
import { deleteKeysOf, lockKeysOf, upsertDeparted } from "./queries.ts";

type Needs = Pick<Deps, "clock" | "db">;

const batchSize = 1_000;
const actor = { kind: "system" } as const;
const action = "api-key.deleted";

const eraseKeys = (deps: Needs, userId: string, limit: number): Promise<number> =>
  deps.db.transaction().execute(async (trx) => {
    const ids = await deleteKeysOf(trx, userId, limit);
    const before = { userId };
    const entries = ids.map((id) => ({ actor, subject: { kind: "api-key", id }, action, before }));
    await appendAudits(trx, deps, entries);
    return ids.length;
  });

/**
 * Deletes the keys of a user who has ceased to exist, and the counts of their uses. They are noted as departed first, after
 * whatever gives them a key now, so no key begins behind the steps; each step finds what the ones before have left, so that
 * it may be broken off and run again.
 */
export const forgetOwner = async (
  deps: Needs,
  { data: { userId } }: Event<"user.deleted">,
): Promise<void> => {
  await deps.db.transaction().execute(async (trx) => {
    await lockKeysOf(trx, userId);
    await upsertDeparted(trx, userId, new Date(deps.clock()));
  });
  await inBatches(batchSize, (limit) => eraseKeys(deps, userId, limit));
  await forgetUsage(deps, [userId]);
};
