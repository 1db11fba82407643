import { againEvery } from "@latchkey/ui/api/again-every.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { type DayRange, rangeBefore } from "@latchkey/ui/components/day-range.ts";
import { useQuery } from "@tanstack/react-query";
import { useAccess } from "../../access/use-access.ts";
import type { StatisticsOwner } from "./metrics.ts";

const counts = {
  identity: operations.identity.adminReadIdentityStatistics,
  apikey: operations.apikey.adminReadApiKeyStatistics,
  mailer: operations.mailer.adminReadMailStatistics,
} as const satisfies Record<StatisticsOwner, unknown>;

export const againMs = 60_000;

/** Whether an owner's statistics are offered in this installation. */
export const isCounted = (owner: StatisticsOwner): boolean => isOffered(counts[owner]);

/** Queries the counts by day of each owner over a period and the previous one, as far as this admin may. Refreshes them periodically. */
export const useStatistics = (range: DayRange) => {
  const { may } = useAccess();
  const input = { query: { from: rangeBefore(range).from, to: range.to } };
  const restOf = (owner: StatisticsOwner) => ({
    enabled: isCounted(owner) && may("statistics:read"),
    refetchInterval: againEvery(againMs),
  });
  return {
    identity: useQuery({ ...operationQuery(counts.identity, input), ...restOf("identity") }),
    apikey: useQuery({ ...operationQuery(counts.apikey, input), ...restOf("apikey") }),
    mailer: useQuery({ ...operationQuery(counts.mailer, input), ...restOf("mailer") }),
  } satisfies Record<StatisticsOwner, unknown>;
};

export type Statistics = ReturnType<typeof useStatistics>;
