/** All UTC days have the same length. */
export const dayMilliseconds = 86_400_000;

/** Returns the UTC day of a time as `YYYY-MM-DD`. `now` is in ms since the epoch. */
export const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

/** Returns the day `count` days later, or earlier if `count` is negative. */
export const addDays = (day: string, count: number): string =>
  dayOf(Date.parse(day) + count * dayMilliseconds);

/** Returns the number of days from one day to another, both included. */
export const countDays = (from: string, to: string): number =>
  (Date.parse(to) - Date.parse(from)) / dayMilliseconds + 1;
