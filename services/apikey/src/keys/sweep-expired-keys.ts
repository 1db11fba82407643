import { appendAudits, inBatches } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { deleteExpiredKeys } from "./queries.ts";

const batchSize = 1_000;
const actor = { kind: "system" } as const;

/** Deletes the keys that have expired, with a line of the audit for each; gives how many. Those that others delete are theirs. */
export const sweepExpiredKeys = (deps: Pick<Deps, "clock" | "db">): Promise<number> => {
  const now = new Date(deps.clock());
  return inBatches(batchSize, (limit) =>
    deps.db.transaction().execute(async (trx) => {
      const keys = await deleteExpiredKeys(trx, now, limit);
      const entries = keys.map(({ id, userId }) => ({
        actor,
        subject: { kind: "api-key", id },
        action: "api-key.expired",
        before: { userId },
      }));
      await appendAudits(trx, deps, entries);
      return keys.length;
    }),
  );
};
