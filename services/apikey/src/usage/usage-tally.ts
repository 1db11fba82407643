import { createDailyTally } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import type { ApiKeyRow } from "../keys/key-row.ts";
import type { UseOutcome } from "../keys/use-outcome.ts";
import { addUsage, type UsageCounts, type UsageRow } from "./queries.ts";

type UsedKey = Pick<ApiKeyRow, "id" | "userId">;

/** What came of uses, counted here and written in batches. */
export interface UsageTally {
  note(key: UsedKey, outcome: UseOutcome): void;
  /**
   * Writes what was counted; where that fails it stays counted. A write that was done and whose answer was lost fails too, so that
   * what it held is counted twice.
   */
  flush(): Promise<void>;
}

const countOf: Record<UseOutcome, keyof UsageCounts> = {
  valid: "valid",
  rateLimited: "rateLimited",
  exhausted: "exhausted",
  expired: "expired",
  disabled: "disabled",
  banned: "disabled",
  forbidden: "forbidden",
};

const none: UsageCounts = {
  valid: 0,
  rateLimited: 0,
  exhausted: 0,
  expired: 0,
  disabled: 0,
  forbidden: 0,
};

/** Counts in memory, by key and day of UTC. What a process has not written when it is killed is lost. */
export const createUsageTally = ({ clock, db }: Pick<Deps, "clock" | "db">): UsageTally => {
  const tally = createDailyTally<UsedKey, UsageRow>({
    clock,
    nameOf: ({ id }) => id,
    newRow: ({ id: keyId, userId }, day) => ({ keyId, userId, day, ...none }),
    add: (to, from) => {
      for (const name of Object.keys(none) as (keyof UsageCounts)[]) to[name] += from[name];
    },
    write: (rows) => addUsage(db, rows),
  });
  return {
    note: (key, outcome) => {
      tally.rowOf(key)[countOf[outcome]] += 1;
    },
    flush: tally.flush,
  };
};
