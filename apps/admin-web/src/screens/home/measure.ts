import type { DayRange } from "@latchkey/ui/components/day-range.ts";
import { lazyValue } from "@latchkey/ui/components/lazy-value.ts";
import type { Metric } from "./metrics.ts";
import { t } from "../../texts.ts";
import { locale } from "@latchkey/ui/components/locale.ts";

/** Counts of a day by name, as returned by the statistics operations. */
export type CountedDay = { readonly day: string } & Readonly<Record<string, number | string>>;

export interface Measured {
  readonly amount: number;
  /** The amount of the previous period. */
  readonly before: number;
  /** The values of its days, in order. */
  readonly valuesBefore: readonly number[];
  /** The values per day, for the chart. */
  readonly values: readonly { readonly day: string; readonly value: number }[];
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

const amountOf = (values: readonly number[], by: Metric["by"]): number =>
  by === "sum" || values.length === 0
    ? sum(values)
    : Math.round((10 * sum(values)) / values.length) / 10;

/** Returns the amount of a metric in the period since `from` and in the previous one. `days` contains both. */
export const measure = (
  { of, by }: Pick<Metric, "of" | "by">,
  days: readonly CountedDay[],
  { from }: Pick<DayRange, "from">,
): Measured => {
  const valuesOf = (some: readonly CountedDay[]) =>
    some.map((counted) => ({
      day: counted.day,
      value: sum(of.map((name) => Number(counted[name] ?? 0))),
    }));
  const amountIn = (some: ReturnType<typeof valuesOf>) =>
    amountOf(
      some.map(({ value }) => value),
      by,
    );
  const values = valuesOf(days.filter(({ day }) => day >= from));
  const before = valuesOf(days.filter(({ day }) => day < from));
  return {
    amount: amountIn(values),
    before: amountIn(before),
    valuesBefore: before.map(({ value }) => value),
    values,
  };
};

const percent = lazyValue(
  () =>
    new Intl.NumberFormat(locale.tag, {
      style: "percent",
      maximumFractionDigits: 0,
      signDisplay: "exceptZero",
    }),
);
const grouped = lazyValue(
  () => new Intl.NumberFormat(locale.tag, { notation: "compact", maximumFractionDigits: 1 }),
);

/** Formats the change relative to the previous period: `+12%`. */
export const changeText = ({ amount, before }: Pick<Measured, "amount" | "before">): string => {
  if (amount === before) return t("home.change.none");
  if (before === 0) return t("home.change.newly");
  const share = (amount - before) / before;
  // A factor is easier to read than a large percentage.
  if (share >= 10) return t("home.change.times", { factor: grouped().format(amount / before) });
  return percent().format(share);
};
