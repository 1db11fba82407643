import { appendAudits, inBatches } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { ownerOf } from "./key-owner.ts";
import { deleteExpiredKeys } from "./queries.ts";

const batchSize = 1_000;
const actor = { kind: "system" } as const;

/** Deletes the expired keys, with an audit entry for each. Returns how many, without those that others deleted. */
export const sweepExpiredKeys = (deps: Pick<Deps, "clock" | "db">): Promise<number> => {
  const now = new Date(deps.clock());
  return inBatches(batchSize, (limit) =>
    deps.db.transaction().execute(async (trx) => {
      const keys = await deleteExpiredKeys(trx, now, limit);
      const entries = keys.map(({ id, ...owner }) => ({
        actor,
        subject: { kind: "api-key", id },
        action: "api-key.expired",
        before: ownerOf(owner),
      }));
      await appendAudits(trx, deps, entries);
      return keys.length;
    }),
  );
};
