import { lazyValue } from "./lazy-value.ts";

const shortDay = lazyValue(
  () => new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" }),
);

/** Formats a day in UTC: `2026-01-31` as "31 Jan". Empty if there is no such day. */
export const dayText = (day: string): string => {
  const start = new Date(`${day}T00:00:00Z`);
  return Number.isNaN(start.getTime()) ? "" : shortDay().format(start);
};
