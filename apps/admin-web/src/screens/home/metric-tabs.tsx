import { Badge, type BadgeTone } from "@latchkey/ui/components/badge.tsx";
import { axisEnd } from "@latchkey/ui/components/day-bars.ts";
import { countDays, type DayRange } from "@latchkey/ui/components/day-range.ts";
import { numberText } from "@latchkey/ui/components/number-text.ts";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import type { KeyboardEvent } from "react";
import { explanationOf } from "../../api/explain.ts";
import { changeText, measure, type Measured } from "./measure.ts";
import type { Metric } from "./metrics.ts";
import type { Statistics } from "./use-statistics.ts";
import { t } from "../../texts.ts";

const toneOf = ({ amount, before }: Measured, isBad = false): BadgeTone => {
  if (amount === before) return "neutral";
  return amount > before === isBad ? "warning" : "success";
};

/** A line of the values without axes. The chart below has them for the chosen metric. */
const Sparkline = ({ values }: Pick<Measured, "values">) => {
  const end = axisEnd(values.map(({ value }) => value));
  const step = 100 / Math.max(values.length - 1, 1);
  const points = values.map(({ value }, index) => `${index * step},${22 - (20 * value) / end}`);
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 100 24"
      preserveAspectRatio="none"
      className="h-6 w-full overflow-visible fill-none stroke-link max-sm:hidden"
    >
      <polyline
        points={points.join(" ")}
        strokeWidth="1.5"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
};

interface MetricProps {
  metric: Metric;
  statistics: Statistics;
  range: DayRange;
}

const Amount = ({ metric, statistics, range }: MetricProps) => {
  const { data, error } = statistics[metric.owner];
  if (error && !data)
    return (
      <span className="line-clamp-3 h-16 text-xs font-normal text-danger">
        {explanationOf(error)}
      </span>
    );
  if (!data)
    return (
      <>
        <Skeleton className="h-9" />
        <Skeleton className="h-6" />
      </>
    );
  const measured = measure(metric, data.days, range);
  const { amount, before, values } = measured;
  const was = numberText(before);
  return (
    <>
      <span className="flex w-full justify-between gap-2 max-sm:flex-col sm:h-9 sm:items-center">
        <span className="text-2xl font-semibold text-ink tabular-nums">{numberText(amount)}</span>
        <span title={t("home.daysBefore", { value: was, count: countDays(range) })}>
          <Badge tone={toneOf(measured, metric.isBad)}>{changeText(measured)}</Badge>
          <span className="sr-only">{t("home.valueBefore", { value: was })}</span>
        </span>
      </span>
      <Sparkline values={values} />
    </>
  );
};

interface MetricTabsProps extends Omit<MetricProps, "metric"> {
  metrics: readonly Metric[];
  chosen: Metric;
  onChoose: (metric: Metric) => void;
}

/** Returns the tab that a key leads to from another one. The last one comes before the first. */
const placeAfter = (key: string, place: number): number | undefined =>
  ({
    Home: 0,
    End: -1,
    ArrowLeft: place - 1,
    ArrowUp: place - 1,
    ArrowRight: place + 1,
    ArrowDown: place + 1,
  })[key];

export const chartId = "metric-chart";

/** Shows each metric over a period, with its change and a line of its days. The chosen one has the large chart. */
export const MetricTabs = ({ metrics, chosen, onChoose, ...rest }: MetricTabsProps) => {
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const target = placeAfter(event.key, metrics.indexOf(chosen));
    if (target === undefined) return;
    event.preventDefault();
    const place = (target + metrics.length) % metrics.length;
    const next = metrics[place];
    if (!next) return;
    onChoose(next);
    const tabs = event.currentTarget.parentElement?.querySelectorAll<HTMLElement>("[role=tab]");
    tabs?.[place]?.focus();
  };
  return (
    <div
      role="tablist"
      aria-label={t("home.metrics.title")}
      className="grid grid-cols-2 gap-3 lg:grid-cols-4"
    >
      {metrics.map((metric) => {
        const isChosen = metric === chosen;
        const { data, error } = rest.statistics[metric.owner];
        return (
          <button
            key={metric.name}
            type="button"
            role="tab"
            aria-selected={isChosen}
            aria-controls={chartId}
            aria-busy={!data && !error}
            tabIndex={isChosen ? 0 : -1}
            onClick={() => onChoose(metric)}
            onKeyDown={onKeyDown}
            className="flex h-32 min-w-0 flex-col justify-between rounded-lg border bg-surface px-4 py-3 text-start shadow-sm transition-colors hover:border-rim aria-selected:border-link aria-selected:ring-1 aria-selected:ring-link"
          >
            <span className="w-full truncate font-medium text-muted">
              {metric.label}
              {metric.note && <span className="text-xs font-normal"> ({metric.note})</span>}
            </span>
            <Amount metric={metric} {...rest} />
          </button>
        );
      })}
    </div>
  );
};
