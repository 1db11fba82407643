import type { CallReply } from "@latchkey/ui/api/call.ts";
import type { operations } from "@latchkey/ui/api/contracts.ts";
import type { DayValue } from "@latchkey/ui/components/day-chart.tsx";

export type HourFigures = CallReply<
  typeof operations.webhooks.adminReadWebhookStatistics
>["hours"][number];

/** The figures of a webhook on a UTC day. */
export interface DeliveryDay {
  readonly day: string;
  readonly delivered: number;
  readonly failedAttempts: number;
  readonly answered: number;
  readonly meanMilliseconds: number;
  readonly maxMilliseconds: number;
}

const meanOf = (figures: readonly Pick<HourFigures, "answered" | "meanMilliseconds">[]): number => {
  const answered = figures.reduce((sum, one) => sum + one.answered, 0);
  const total = figures.reduce((sum, one) => sum + one.answered * one.meanMilliseconds, 0);
  return answered === 0 ? 0 : Math.round(total / answered);
};

const sumUp = (day: string, figures: readonly Omit<HourFigures, "hour">[]): DeliveryDay => ({
  day,
  delivered: figures.reduce((sum, one) => sum + one.delivered, 0),
  failedAttempts: figures.reduce((sum, one) => sum + one.failedAttempts, 0),
  answered: figures.reduce((sum, one) => sum + one.answered, 0),
  meanMilliseconds: meanOf(figures),
  maxMilliseconds: Math.max(0, ...figures.map(({ maxMilliseconds }) => maxMilliseconds)),
});

/** Sums up the hours of each UTC day, oldest first. */
export const deliveryDays = (hours: readonly HourFigures[]): DeliveryDay[] => {
  const byDay = Map.groupBy(hours, ({ hour }) => hour.slice(0, 10));
  return [...byDay].map(([day, figures]) => sumUp(day, figures));
};

type Figure = Exclude<keyof DeliveryDay, "day" | "answered">;

/** Returns one figure of each day, for a chart. */
export const valuesOf = (days: readonly DeliveryDay[], figure: Figure): DayValue[] =>
  days.map((one) => ({ day: one.day, value: one[figure] }));

/** Returns a figure of the whole period. */
export const figureOf = (days: readonly DeliveryDay[], figure: Figure): number =>
  sumUp("", days)[figure];
