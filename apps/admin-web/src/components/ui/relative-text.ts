const units: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** Formats a time relative to now, in the largest fitting unit. */
export const relativeText = (at: Date, now: Date): string => {
  const seconds = Math.round((at.getTime() - now.getTime()) / 1000);
  const fitting = units.find(([, length]) => Math.abs(seconds) >= length);
  if (!fitting) return seconds > 0 ? "in a moment" : "just now";
  const [unit, length] = fitting;
  return relative.format(Math.trunc(seconds / length), unit);
};
