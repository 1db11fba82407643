import { appendAudit } from "@latchkey/service-kit";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import { ownerOf } from "./key-owner.ts";
import type { ApiKeyRow } from "./key-row.ts";
import { deleteSpentKey } from "./queries.ts";
import type { UseOutcome } from "./use-outcome.ts";

const actor = { kind: "system" } as const;

/**
 * Deletes a key that can never be used again: one that has expired, or has no uses left and no refill. Leaves any other key, also one that
 * got more time or uses in the meantime.
 */
export const endSpentKey = async (
  deps: { clock: () => number; db: Kysely<Tables> },
  key: ApiKeyRow,
  outcome: UseOutcome,
): Promise<void> => {
  const { id, refillAmount } = key;
  const isSpent = outcome === "exhausted" && refillAmount === null;
  if (outcome !== "expired" && !isSpent) return;
  await deps.db.transaction().execute(async (trx) => {
    if (!(await deleteSpentKey(trx, id, new Date(deps.clock())))) return;
    await appendAudit(trx, deps, {
      actor,
      subject: { kind: "api-key", id },
      action: `api-key.${outcome}`,
      before: ownerOf(key),
    });
  });
};
