import { addDays, countDays } from "./days.ts";
import type { DayRange } from "./read-day-range.ts";

/** Returns every day of a range with its counts, the first day first. Days without a row get `none`. */
export const everyDay = <Counts extends object>(
  { from, to }: DayRange,
  rows: readonly ({ day: string } & Counts)[],
  none: Counts,
): ({ day: string } & Counts)[] => {
  const rowByDay = new Map(rows.map((row) => [row.day, row]));
  return Array.from({ length: countDays(from, to) }, (_, index) => {
    const day = addDays(from, index);
    return rowByDay.get(day) ?? { day, ...none };
  });
};
