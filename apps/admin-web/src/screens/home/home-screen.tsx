import { getRouteApi } from "@tanstack/react-router";
import { useAccess } from "../../access/use-access.ts";
import { isStale, StaleNotice } from "../../components/errors/stale-notice.tsx";
import { Page } from "../../components/page.tsx";
import { DateRangePicker } from "@latchkey/ui/components/date-range-picker.tsx";
import { type DayRange, lastDays, rangeFault } from "@latchkey/ui/components/day-range.ts";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { useNow } from "@latchkey/ui/components/use-now.ts";
import { Concerns } from "./concerns.tsx";
import { Health } from "./health.tsx";
import { MetricCard } from "./metric-card.tsx";
import { metrics } from "./metrics.ts";
import { daysMax, isCounted, useStatistics } from "./use-statistics.ts";

const route = getRouteApi("/shell/");
const usualDays = 30;

/** Returns the period in the address, or the last 30 days if it is missing or invalid. */
const useRange = (): DayRange => {
  const { from, to } = route.useSearch();
  const usual = lastDays(usualDays, useNow());
  if (from === undefined || to === undefined) return usual;
  const range = { from, to };
  return rangeFault(range, daysMax) === undefined ? range : usual;
};

const Metrics = ({ range }: { range: DayRange }) => {
  const reads = useStatistics(range);
  const stale = Object.values(reads).filter(isStale);
  const refetch = () => {
    for (const read of stale) void read.refetch();
  };
  return (
    <>
      {stale[0] && <StaleNotice reading={{ ...stale[0], refetch }} />}
      <div className="grid grid-cols-[repeat(auto-fill,minmax(14rem,1fr))] gap-4">
        {metrics
          .filter(({ owner }) => isCounted(owner))
          .map((metric) => (
            <MetricCard
              key={metric.label}
              metric={metric}
              counted={reads[metric.owner]}
              range={range}
            />
          ))}
      </div>
    </>
  );
};

/** Shows the metrics of a period, the problems that need attention, and the health of every service. */
export const HomeScreen = () => {
  const range = useRange();
  const navigate = route.useNavigate();
  const { may } = useAccess();
  const mayCount = may("statistics:read");
  return (
    <Page
      title="Home"
      aside={
        mayCount && (
          <DateRangePicker
            value={range}
            daysMax={daysMax}
            onChange={({ from, to }) => void navigate({ to: ".", search: { from, to } })}
          />
        )
      }
    >
      {mayCount ? (
        <Metrics range={range} />
      ) : (
        <EmptyState title="No access to statistics">
          Ask an admin for the permission to read statistics. You can open the screens in the
          navigation.
        </EmptyState>
      )}
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <Concerns />
        {mayCount && <Health />}
      </div>
    </Page>
  );
};
