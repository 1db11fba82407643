export { createDailyTally, type DailyTally } from "./daily-tally.ts";
export { addDays, countDays, dayOf } from "./days.ts";
export { everyDay } from "./every-day.ts";
export { keepWriting } from "./keep-writing.ts";
export { type DayRange, readDayRange } from "./read-day-range.ts";
