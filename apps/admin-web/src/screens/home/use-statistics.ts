import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { operations } from "../../api/contracts.ts";
import { operationQuery } from "../../api/operation-query.ts";
import { type DayRange, rangeBefore } from "../../components/ui/day-range.ts";
import type { StatisticsOwner } from "./metrics.ts";

const { identity, apikey, mailer } = operations;

/** Periods of so many days at most: with the one before it, they are what statistics tell of at once. */
export const daysMax = 200;

/** Counts by day of each owner, over a period and the one before it. */
export const useStatistics = (range: DayRange) => {
  const input = { query: { from: rangeBefore(range).from, to: range.to } };
  const rest = { placeholderData: keepPreviousData };
  return {
    identity: useQuery({ ...operationQuery(identity.adminReadIdentityStatistics, input), ...rest }),
    apikey: useQuery({ ...operationQuery(apikey.adminReadApiKeyStatistics, input), ...rest }),
    mailer: useQuery({ ...operationQuery(mailer.adminReadMailStatistics, input), ...rest }),
  } satisfies Record<StatisticsOwner, unknown>;
};
