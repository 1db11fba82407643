import { lazyValue } from "./lazy-value.ts";
import { countDays, type DayRange, lastDays, usualDays } from "./day-range.ts";
import { locale } from "./locale.ts";

const shortDay = lazyValue(
  () => new Intl.DateTimeFormat(locale.tag, { day: "numeric", month: "short", timeZone: "UTC" }),
);

/** Formats a day in UTC, such as `2026-01-31` as "31 Jan". Empty if there is no such day. */
export const dayText = (day: string): string => {
  const start = new Date(`${day}T00:00:00Z`);
  return Number.isNaN(start.getTime()) ? "" : shortDay().format(start);
};

const longDay = lazyValue(
  () =>
    new Intl.DateTimeFormat(locale.tag, {
      day: "numeric",
      month: "short",
      year: "numeric",
      timeZone: "UTC",
    }),
);

/** Formats a range of days: "Last 30 days", or "1–31 Jan 2026". */
export const rangeText = (range: DayRange, now: Date): string => {
  const count = countDays(range);
  if (usualDays.some((days) => days === count) && lastDays(count, now).to === range.to)
    return locale.text("range.last", { count });
  return longDay().formatRange(new Date(range.from), new Date(range.to));
};
