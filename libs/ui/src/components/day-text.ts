import { lazyValue } from "./lazy-value.ts";

const short = lazyValue(
  () => new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" }),
);

/** Formats a day in UTC: `2026-01-31` as "31 Jan". */
export const dayText = (day: string): string => short().format(new Date(`${day}T00:00:00Z`));
