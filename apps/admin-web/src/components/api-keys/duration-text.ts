import { t } from "../../texts.ts";

const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
  ["millisecond", 1],
] as const;

/** Formats a duration in the largest unit that divides it evenly: "1 day", "36 hours". */
export const durationText = (ms: number): string => {
  const [unit, length] = units.find(([, length]) => ms % length === 0) ?? ["millisecond", 1];
  return t(`durations.${unit}s`, { count: ms / length });
};
