/** Days as `YYYY-MM-DD` in UTC, both included. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

const dayMs = 86_400_000;

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** Whether there is such a day: 31 February would be read as one of March. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(startOf(text)) && dayOf(startOf(text)) === text;

/** The last so many days, the present one included. */
export const lastDays = (count: number, now: Date): DayRange => ({
  from: dayOf(now.getTime() - (count - 1) * dayMs),
  to: dayOf(now.getTime()),
});

export const countDays = ({ from, to }: DayRange): number =>
  Math.round((startOf(to) - startOf(from)) / dayMs) + 1;

/** As many days, right before. */
export const rangeBefore = (range: DayRange): DayRange => ({
  from: dayOf(startOf(range.from) - countDays(range) * dayMs),
  to: dayOf(startOf(range.from) - dayMs),
});

/** Why a range cannot be asked for; undefined where it can. */
export const rangeFault = ({ from, to }: DayRange, daysMax: number): string | undefined => {
  if (!isDay(from) || !isDay(to)) return "Choose both days.";
  if (from > to) return "The first day must not be after the last.";
  if (countDays({ from, to }) > daysMax) return `Choose ${daysMax} days at most.`;
  return undefined;
};
