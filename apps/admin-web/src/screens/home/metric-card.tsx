import { Link } from "@tanstack/react-router";
import { useAccess } from "../../access/use-access.ts";
import { explanationOf } from "../../api/explain.ts";
import { Badge, type BadgeTone } from "@latchkey/ui/components/badge.tsx";
import { countDays, type DayRange } from "@latchkey/ui/components/day-range.ts";
import { DayChart } from "@latchkey/ui/components/day-chart.tsx";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import { useNow } from "@latchkey/ui/components/use-now.ts";
import { changeText, type CountedDay, measure, type Measured } from "./measure.ts";
import type { Metric } from "./metrics.ts";
import { numberText } from "@latchkey/ui/components/number-text.ts";

export interface CountedDays {
  readonly data: { readonly days: readonly CountedDay[] } | undefined;
  readonly error: Error | null;
}

const toneOf = ({ amount, before }: Measured, isBad = false): BadgeTone => {
  if (amount === before) return "neutral";
  return amount > before === isBad ? "warning" : "success";
};

const Label = ({ label, way }: Metric) => {
  const { may } = useAccess();
  if (!way || !may(way.needs)) return label;
  // The cast is needed because the table of metrics names any screen.
  const to = { to: way.to, search: way.search } as unknown as { to: "/" };
  return (
    <Link {...to} className="rounded-sm hover:underline">
      {label}
    </Link>
  );
};

interface MetricBodyProps {
  metric: Metric;
  measured: Measured;
  range: DayRange;
}

const MetricBody = ({ metric, measured, range }: MetricBodyProps) => {
  const { amount, before, values } = measured;
  const dayCount = countDays(range);
  const today = useNow().toISOString().slice(0, 10);
  const numbers = values.map(({ value }) => value);
  const least = numberText(Math.min(...numbers, 0));
  return (
    <>
      <p className="flex h-8 items-center justify-between gap-2">
        <span className="text-2xl font-semibold tabular-nums">{numberText(amount)}</span>
        <span title={`${numberText(before)} in the ${dayCount} days before`}>
          <Badge tone={toneOf(measured, metric.isBad)}>{changeText(measured)}</Badge>
          <span className="sr-only">, {numberText(before)} before</span>
        </span>
      </p>
      <DayChart
        label={`${metric.label} by day, from ${least} to ${numberText(Math.max(...numbers, 0))}`}
        days={values}
        unit={metric.unit}
        today={today}
      />
    </>
  );
};

interface MetricCardProps {
  metric: Metric;
  counted: CountedDays;
  range: DayRange;
}

/** Shows a metric over a period, its change and its values by day. */
export const MetricCard = ({ metric, counted, range }: MetricCardProps) => {
  const { data, error } = counted;
  return (
    <section
      aria-label={metric.label}
      aria-busy={!data && !error}
      className="flex h-44 flex-col justify-between overflow-hidden rounded-lg border bg-surface p-4"
    >
      <h2 className="flex h-5 items-baseline gap-1.5 font-medium whitespace-nowrap text-muted">
        <Label {...metric} />
        {metric.note && <span className="truncate text-xs font-normal">({metric.note})</span>}
      </h2>
      {error && !data && (
        <p className="overflow-y-auto text-xs text-danger" tabIndex={0}>
          {explanationOf(error)}
        </p>
      )}
      {!error && !data && (
        <>
          <Skeleton className="h-8" />
          <Skeleton className="h-16" />
        </>
      )}
      {data && (
        <MetricBody metric={metric} measured={measure(metric, data.days, range)} range={range} />
      )}
    </section>
  );
};
