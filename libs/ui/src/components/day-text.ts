import { lazyValue } from "./lazy-value.ts";
import { locale } from "./locale.ts";

const shortDay = lazyValue(
  () => new Intl.DateTimeFormat(locale.tag, { day: "numeric", month: "short", timeZone: "UTC" }),
);

/** Formats a day in UTC, such as `2026-01-31` as "31 Jan". Empty if there is no such day. */
export const dayText = (day: string): string => {
  const start = new Date(`${day}T00:00:00Z`);
  return Number.isNaN(start.getTime()) ? "" : shortDay().format(start);
};
