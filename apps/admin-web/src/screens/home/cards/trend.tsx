import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { DayChart } from "@latchkey/ui/components/day-chart.tsx";
import type { DayRange } from "@latchkey/ui/components/day-range.ts";
import { numberText } from "@latchkey/ui/components/number-text.ts";
import { useNow } from "@latchkey/ui/components/use-now.ts";
import { Link } from "@tanstack/react-router";
import { useAccess } from "../../../access/use-access.ts";
import { Unread } from "../../../components/errors/error-state.tsx";
import { measure } from "../measure.ts";
import type { Metric } from "../metrics.ts";
import type { Statistics } from "../use-statistics.ts";
import { t } from "../../../texts.ts";

/** Leads to the screen that lists the counted items. */
const WayToItems = ({ label, way }: Metric) => {
  const { may } = useAccess();
  if (!way || !may(way.needs)) return null;
  // The cast is needed because the table of metrics names any screen.
  const to = { to: way.to, search: way.search } as unknown as { to: "/" };
  return (
    <Link
      {...to}
      aria-label={t("home.trend.showMetric", { metric: label })}
      className={buttonStyle("quiet", "small")}
    >
      {t("home.trend.show")}
    </Link>
  );
};

interface TrendProps {
  metric: Metric;
  statistics: Statistics;
  range: DayRange;
  /** Shows other days. */
  onChoose: (range: DayRange) => void;
}

/** The large chart of the chosen metric. */
export const Trend = ({ metric, statistics, range, onChoose }: TrendProps) => {
  const reading = statistics[metric.owner];
  const today = useNow().toISOString().slice(0, 10);
  if (!reading.data) return <Unread reading={reading} className="h-80 w-full" />;
  const { values, valuesBefore } = measure(metric, reading.data.days, range);
  const numbers = values.map(({ value }) => value);
  const least = numberText(Math.min(...numbers, 0));
  return (
    <>
      <div className="ui-card-head mb-2 flex h-8 items-center justify-between gap-3">
        <h2 className="text-lg font-semibold">{metric.label}</h2>
        <WayToItems {...metric} />
      </div>
      <DayChart
        label={t("home.trend.chart", {
          metric: metric.label,
          least,
          most: numberText(Math.max(...numbers, 0)),
        })}
        days={values}
        unit={metric.unit}
        today={today}
        before={valuesBefore}
        onChoose={onChoose}
        isLarge
      />
    </>
  );
};
