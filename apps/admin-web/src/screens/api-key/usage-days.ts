import { countDays, type DayRange } from "@latchkey/ui/components/day-range.ts";
import { type Outcome, outcomes } from "./outcomes.ts";
import { numberText } from "@latchkey/ui/components/number-text.ts";
import { lowerText, seriesText, t } from "../../texts.ts";

/** The uses on a UTC day, by outcome. */
export type UsageDay = Readonly<Record<Outcome, number>> & { readonly day: string };
export type UsageCounts = Readonly<Record<Outcome, number>>;

const dayMs = 86_400_000;

const none: UsageCounts = {
  valid: 0,
  rateLimited: 0,
  exhausted: 0,
  expired: 0,
  disabled: 0,
  forbidden: 0,
};

/** Returns every day of a range, also those without a use. */
export const fillDays = (used: readonly UsageDay[], range: DayRange): UsageDay[] => {
  const usedByDay = new Map(used.map((one) => [one.day, one]));
  const first = Date.parse(`${range.from}T00:00:00Z`);
  return Array.from({ length: countDays(range) }, (_, index) => {
    const day = new Date(first + index * dayMs).toISOString().slice(0, 10);
    return usedByDay.get(day) ?? { day, ...none };
  });
};

/** Adds up all days by outcome. */
export const sumDays = (days: readonly UsageDay[]): UsageCounts => {
  const sums = { ...none };
  for (const day of days) for (const { name } of outcomes) sums[name] += day[name];
  return sums;
};

/** Describes the sums in words. Omits outcomes that did not occur. */
export const sumInWords = (sums: UsageCounts): string => {
  const parts = outcomes
    .filter(({ name }) => sums[name] > 0)
    .map(({ name, label }) => `${lowerText(label)} ${numberText(sums[name])}`);
  return parts.length === 0 ? t("apiKey.usage.sumNone") : seriesText(parts);
};
