import type { Deps } from "../deps.ts";
import type { ApiKeyRow } from "../keys/key-row.ts";
import type { UseOutcome } from "../keys/use-outcome.ts";
import { addUsage, type UsageCounts, type UsageRow } from "./queries.ts";
import { dayMilliseconds, dayOf } from "./usage-days.ts";

/** What came of uses, counted here and written in batches. */
export interface UsageTally {
  note(row: Pick<ApiKeyRow, "id" | "userId">, outcome: UseOutcome): void;
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

const batchSize = 1_000;

const none: UsageCounts = {
  valid: 0,
  rateLimited: 0,
  exhausted: 0,
  expired: 0,
  disabled: 0,
  forbidden: 0,
};

const add = (to: UsageRow, counts: UsageCounts): void => {
  for (const name of Object.keys(none) as (keyof UsageCounts)[]) to[name] += counts[name];
};

/** Counts in memory, by key and day of UTC. What a process has not written when it is killed is lost. */
export const createUsageTally = ({ clock, db }: Pick<Deps, "clock" | "db">): UsageTally => {
  let counted = new Map<string, UsageRow>();
  let day = "";
  let dayEndsAt = 0;

  const today = (): string => {
    const now = clock();
    if (now >= dayEndsAt || now < dayEndsAt - dayMilliseconds) {
      day = dayOf(now);
      dayEndsAt = Date.parse(day) + dayMilliseconds;
    }
    return day;
  };
  const rowOf = (keyId: string, of: { userId: string; day: string }): UsageRow => {
    const name = `${of.day} ${keyId}`;
    const known = counted.get(name);
    if (known) return known;
    const row = { keyId, ...of, ...none };
    counted.set(name, row);
    return row;
  };

  return {
    note: ({ id, userId }, outcome) => {
      rowOf(id, { userId, day: today() })[countOf[outcome]] += 1;
    },
    flush: async () => {
      const rows = [...counted.values()];
      counted = new Map();
      for (let start = 0; start < rows.length; start += batchSize) {
        try {
          await addUsage(db, rows.slice(start, start + batchSize));
        } catch (error) {
          for (const { keyId, userId, day, ...counts } of rows.slice(start))
            add(rowOf(keyId, { userId, day }), counts);
          throw error;
        }
      }
    },
  };
};
