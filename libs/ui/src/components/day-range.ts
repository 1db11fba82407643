/** UTC days as `YYYY-MM-DD`, both inclusive. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

const dayMs = 86_400_000;

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** Whether a day exists. `Date` would read 31 February as a day in March. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(startOf(text)) && dayOf(startOf(text)) === text;

/** The numbers of days of the usual ranges, which end today. */
export const usualDays = [7, 30, 90] as const;

/** Returns the last `count` days, today included. */
export const lastDays = (count: number, now: Date): DayRange => ({
  from: dayOf(now.getTime() - (count - 1) * dayMs),
  to: dayOf(now.getTime()),
});

export const countDays = ({ from, to }: DayRange): number =>
  Math.round((startOf(to) - startOf(from)) / dayMs) + 1;

/** Returns the range of the same length directly before. */
export const rangeBefore = (range: DayRange): DayRange => ({
  from: dayOf(startOf(range.from) - countDays(range) * dayMs),
  to: dayOf(startOf(range.from) - dayMs),
});

/** Returns why a range is invalid, or undefined if it is valid. */
export const rangeFault = ({ from, to }: DayRange, daysMax: number) => {
  if (!isDay(from) || !isDay(to)) return "range.bothDays";
  if (from > to) return "range.order";
  if (countDays({ from, to }) > daysMax) return "range.tooLong";
  return undefined;
};
