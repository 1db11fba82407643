import { createDailyTally } from "@latchkey/service-kit/statistics";
import type { Kysely } from "kysely";
import type { ApiKeyRow } from "../db/key-row.ts";
import type { Tables } from "../db/tables.ts";
import { addUsage, type UsageCounts, type UsageRow } from "./queries.ts";

/** The outcome of some uses of a key. The first that applies, in this order, counts. */
export type UseOutcome =
  | "disabled"
  | "expired"
  | "banned"
  | "forbidden"
  | "exhausted"
  | "rateLimited"
  | "valid";

type UsedKey = Pick<ApiKeyRow, "id" | "organizationId" | "userId">;

/** Counts the outcomes of uses in memory and writes them in batches. */
interface UsageTally {
  note(key: UsedKey, outcome: UseOutcome): void;
  /** Writes the counts, and keeps them if the write fails. If a completed write loses its reply, its counts are written twice. */
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

/** Counts by key and UTC day. A killed process loses the counts that it has not written. */
export const createUsageTally = ({
  clock,
  db,
}: {
  clock: () => number;
  db: Kysely<Tables>;
}): UsageTally => {
  const tally = createDailyTally<UsedKey, UsageRow>({
    clock,
    nameOf: ({ id }) => id,
    newRow: ({ id: keyId, userId, organizationId }, day) => ({
      keyId,
      userId,
      organizationId,
      day,
      ...none,
    }),
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
