/** Days of UTC are all of one length. */
export const dayMilliseconds = 86_400_000;

/** The day of UTC that a moment is in, as `YYYY-MM-DD`; `now` in ms since the epoch. */
export const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

/** The day some days later, or earlier where there are less than none. */
export const addDays = (day: string, count: number): string =>
  dayOf(Date.parse(day) + count * dayMilliseconds);

/** How many days there are from one to another, both included. */
export const countDays = (from: string, to: string): number =>
  (Date.parse(to) - Date.parse(from)) / dayMilliseconds + 1;
