const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
  ["millisecond", 1],
] as const;

const grouped = new Intl.NumberFormat("en");

/** Formats a duration in the largest unit that divides it evenly: "a day", "36 hours". */
export const durationText = (ms: number): string => {
  const [unit, length] = units.find(([, length]) => ms % length === 0) ?? ["millisecond", 1];
  const count = ms / length;
  if (count === 1) return unit === "hour" ? "an hour" : `a ${unit}`;
  return `${grouped.format(count)} ${unit}s`;
};
