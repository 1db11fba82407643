const dayLength = "YYYY-MM-DD".length;
const dayMs = 86_400_000;
const minuteMs = 60_000;

/** Which end of a range a time is. An end includes its whole minute, or its whole day in UTC. */
export type RangeEnd = "from" | "to";

/** Whether a text is a time in UTC as `Date.toISOString` formats it. */
export const isTime = (text: string): boolean =>
  !Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text;

const twoDigits = (value: number): string => String(value).padStart(2, "0");

/** Returns the value of a `datetime-local` input for a time or a day in UTC, in the zone of this device. */
export const toLocalTime = (moment: string | undefined, end: RangeEnd): string => {
  if (moment === undefined || Number.isNaN(Date.parse(moment))) return "";
  const isDay = moment.length === dayLength;
  const date = new Date(Date.parse(moment) + (isDay && end === "to" ? dayMs - 1 : 0));
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(twoDigits).join("-");
  return `${day}T${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
};

/** Returns the time in UTC of a `datetime-local` input, or undefined if it is empty. */
export const ofLocalTime = (local: string, end: RangeEnd): string | undefined => {
  const time = new Date(local).getTime();
  if (Number.isNaN(time)) return undefined;
  const start = Math.floor(time / minuteMs) * minuteMs;
  return new Date(end === "to" ? start + minuteMs - 1 : start).toISOString();
};
