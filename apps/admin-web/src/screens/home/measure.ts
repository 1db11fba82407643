import type { DayRange } from "../../components/ui/day-range.ts";
import type { Metric } from "./metrics.ts";

/** Counts of a day by their names, as statistics give them. */
export type CountedDay = { readonly day: string } & Readonly<Record<string, number | string>>;

export interface Measured {
  readonly amount: number;
  /** The same of the period before. */
  readonly before: number;
  /** By day, for the line. */
  readonly values: readonly number[];
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

const amountOf = (values: readonly number[], by: Metric["by"]): number =>
  by === "sum" || values.length === 0
    ? sum(values)
    : Math.round((10 * sum(values)) / values.length) / 10;

/** What a metric comes to in a period and in the one before, of days that hold both. */
export const measure = (
  { of, by }: Pick<Metric, "of" | "by">,
  days: readonly CountedDay[],
  { from }: Pick<DayRange, "from">,
): Measured => {
  const valuesOf = (some: readonly CountedDay[]) =>
    some.map((day) => sum(of.map((name) => Number(day[name] ?? 0))));
  const values = valuesOf(days.filter(({ day }) => day >= from));
  const before = valuesOf(days.filter(({ day }) => day < from));
  return { amount: amountOf(values, by), before: amountOf(before, by), values };
};

const percent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 0 });
const grouped = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** How much more or less it became: `+12%`. */
export const changeText = ({ amount, before }: Pick<Measured, "amount" | "before">): string => {
  if (amount === before) return "same as before";
  if (before === 0) return "none before";
  const share = (amount - before) / before;
  // Beyond that a factor is easier to read.
  if (share >= 10) return `${grouped.format(amount / before)} times`;
  const text = percent.format(share);
  return share > 0 ? `+${text}` : text;
};
