import { DateRangePicker } from "@latchkey/ui/components/date-range-picker.tsx";
import { type DayRange, lastDays, rangeFault } from "@latchkey/ui/components/day-range.ts";
import { lazyModule } from "@latchkey/ui/components/lazy-module.ts";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import { useNow } from "@latchkey/ui/components/use-now.ts";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useAccess } from "../../access/use-access.ts";
import { isStale, StaleNotice } from "../../components/errors/stale-notice.tsx";
import { Page } from "../../components/page.tsx";
import { chartId, MetricTabs } from "./metric-tabs.tsx";
import { metrics } from "./metrics.ts";
import { useFindings } from "./use-findings.ts";
import { isCounted, type Statistics, useStatistics } from "./use-statistics.ts";
import { t } from "../../texts.ts";

/** The maximum days of a period. Together with the previous period they fit into one statistics request. */
const daysMax = 200;
const usualDays = 30;

const route = getRouteApi("/shell/");

/** Returns the period in the address, or the last 30 days if it is missing or invalid. */
const useRange = (): DayRange => {
  const { from, to } = route.useSearch();
  const usual = lastDays(usualDays, useNow());
  if (from === undefined || to === undefined) return usual;
  const range = { from, to };
  return rangeFault(range, daysMax) === undefined ? range : usual;
};

/** The page does not wait for the code of its cards. */
const problems = lazyModule(() => import("./cards/concerns.tsx"));
const trend = lazyModule(() => import("./cards/trend.tsx"));
const cards = lazyModule(() => import("./cards/home-cards.tsx"));

const shownMetrics = metrics.filter(({ owner }) => isCounted(owner));

/** Shows the numbers of a period, and the chart of one of them. */
const Metrics = ({ range, statistics }: { range: DayRange; statistics: Statistics }) => {
  const { metric: name } = route.useSearch();
  const navigate = route.useNavigate();
  const loaded = trend.useModule();
  const chosen = shownMetrics.find((one) => one.name === name) ?? shownMetrics[0];
  const stale = Object.values(statistics).filter(isStale);
  const refetch = () => {
    for (const read of stale) void read.refetch();
  };
  if (!chosen) return null;
  return (
    <>
      {stale[0] && <StaleNotice reading={{ ...stale[0], refetch }} />}
      <MetricTabs
        metrics={shownMetrics}
        onChoose={(metric) =>
          void navigate({
            to: ".",
            search: (was) => ({ ...was, metric: metric.name }),
            replace: true,
          })
        }
        {...{ chosen, statistics, range }}
      />
      <div
        id={chartId}
        role="tabpanel"
        aria-label={chosen.label}
        className="ui-card min-h-96 shrink-0"
      >
        {loaded ? (
          <loaded.Trend
            metric={chosen}
            {...{ statistics, range }}
            onChoose={({ from, to }) =>
              void navigate({ to: ".", search: (was) => ({ ...was, from, to }) })
            }
          />
        ) : (
          <Skeleton className="h-80" />
        )}
      </div>
    </>
  );
};

const patienceMs = 1000;

/** Whether some time has passed since the first render. */
const useIsLate = (): boolean => {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), patienceMs);
    return () => clearTimeout(timer);
  }, []);
  return isLate;
};

/** Shows the problems that need attention, the metrics of a period, who signed up, and the health of every service. */
export const HomeScreen = () => {
  const range = useRange();
  const navigate = route.useNavigate();
  const { may } = useAccess();
  const mayCount = may("statistics:read");
  const findings = useFindings();
  const shownProblems = problems.useModule();
  const shownCards = cards.useModule();
  // The problems come first and push the rest down, so the rest waits for them a little. Its reads do not wait.
  const statistics = useStatistics(range);
  const isLate = useIsLate();
  const waitsForConcerns = (findings.isPending || !shownProblems) && !isLate;
  return (
    <Page
      title={t("screens.home")}
      aside={
        mayCount && (
          <DateRangePicker
            value={range}
            daysMax={daysMax}
            onChange={({ from, to }) =>
              void navigate({ to: ".", search: (was) => ({ ...was, from, to }) })
            }
          />
        )
      }
    >
      {!waitsForConcerns && (
        <>
          {shownProblems && <shownProblems.Concerns {...findings} />}
          {mayCount && <Metrics {...{ range, statistics }} />}
          {shownCards && <shownCards.HomeCards range={range} />}
        </>
      )}
    </Page>
  );
};
