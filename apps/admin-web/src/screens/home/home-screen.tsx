import { getRouteApi, Link } from "@tanstack/react-router";
import { DateRangePicker } from "@latchkey/ui/components/date-range-picker.tsx";
import {
  type DayRange,
  lastDays,
  rangeFault,
  rangeBefore,
} from "@latchkey/ui/components/day-range.ts";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { lazyModule } from "@latchkey/ui/components/lazy-module.ts";
import { useNow } from "@latchkey/ui/components/use-now.ts";
import { CircleCheck, OctagonAlert, TriangleAlert } from "lucide-react";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Card } from "@latchkey/ui/components/card.tsx";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import { useQuery } from "@tanstack/react-query";
import { againEvery } from "@latchkey/ui/api/again-every.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { useAccess } from "../../access/use-access.ts";
import { isStale, StaleNotice } from "../../components/errors/stale-notice.tsx";
import { Page } from "../../components/page.tsx";
import { MetricCard } from "./metric-card.tsx";
import { metrics, type StatisticsOwner } from "./metrics.ts";
import { explain } from "../../api/explain.ts";
import type { Concern } from "./concerns-of.ts";
import { useConcerns } from "./use-concerns.ts";

/** Below the numbers, so they do not wait for its code. */
const health = lazyModule(() => import("./health.tsx"));

const Health = () => {
  const loaded = health.useModule();
  return loaded ? (
    <loaded.Health />
  ) : (
    <Card title="Health" className="h-96">
      <Skeleton className="w-64 max-w-full" />
    </Card>
  );
};

const counts = {
  identity: operations.identity.adminReadIdentityStatistics,
  apikey: operations.apikey.adminReadApiKeyStatistics,
  mailer: operations.mailer.adminReadMailStatistics,
} as const satisfies Record<StatisticsOwner, unknown>;

const againMs = 60_000;

/** The maximum days of a period. Together with the previous period they fit into one statistics request. */
const daysMax = 200;

/** Whether an owner's statistics are offered in this installation. */
const isCounted = (owner: StatisticsOwner): boolean => isOffered(counts[owner]);

/** Queries the counts by day of each owner over a period and the previous one. Refreshes them periodically. */
const useStatistics = (range: DayRange) => {
  const input = { query: { from: rangeBefore(range).from, to: range.to } };
  const restOf = (owner: StatisticsOwner) => ({
    enabled: isCounted(owner),
    refetchInterval: againEvery(againMs),
  });
  return {
    identity: useQuery({ ...operationQuery(counts.identity, input), ...restOf("identity") }),
    apikey: useQuery({ ...operationQuery(counts.apikey, input), ...restOf("apikey") }),
    mailer: useQuery({ ...operationQuery(counts.mailer, input), ...restOf("mailer") }),
  } satisfies Record<StatisticsOwner, unknown>;
};

const Title = ({ title, to, search }: Concern) => {
  if (to === undefined) return title;
  // The cast is needed because the concern names any screen.
  const way = { to, search: search ?? {} } as unknown as { to: "/" };
  return (
    <Link {...way} className="rounded-sm underline underline-offset-2">
      {title}
    </Link>
  );
};

const ConcernItem = ({ concern }: { concern: Concern }) => (
  <li className="flex gap-2.5 border-b py-2.5 first:pt-0 last:border-b-0 last:pb-0">
    {concern.isGrave ? (
      <OctagonAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warning" />
    ) : (
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warning" />
    )}
    <div className="min-w-0">
      <p className="font-medium break-words">
        {concern.isGrave && <span className="sr-only">Urgent: </span>}
        <Title {...concern} />
      </p>
      <p className="break-words text-muted">
        <bdi>{concern.advice}</bdi>
      </p>
    </div>
  </li>
);

const Unknown = ({ errors, retry }: { errors: readonly Error[]; retry: () => void }) => (
  <div className="mt-3 flex flex-wrap items-center justify-between gap-2 border-t pt-3">
    <p className="min-w-0 break-words text-muted">
      Some checks failed. {explain(errors[0]).message}
    </p>
    <Button size="small" onClick={retry}>
      Retry
    </Button>
  </div>
);

/** Shows the problems to look at and what to do about each. */
const Concerns = () => {
  const { isBlind, concerns, isPending, errors, retry } = useConcerns();
  if (isBlind) return null;
  return (
    // Has a fixed height if other content is below it, so that a changing number of concerns moves nothing.
    <Card title="Needs attention" className="max-xl:flex max-xl:h-72 max-xl:flex-col">
      {concerns.length > 0 && !isPending && (
        <ul
          // Makes a long list scrollable by keyboard.
          tabIndex={0}
          aria-label="What needs attention"
          className="max-xl:min-h-0 max-xl:overflow-y-auto"
        >
          {concerns.map((concern) => (
            <ConcernItem key={concern.title} concern={concern} />
          ))}
        </ul>
      )}
      {isPending && (
        <div className="flex flex-col gap-2">
          <Skeleton className="w-64 max-w-full" />
          <Skeleton className="w-96 max-w-full" />
        </div>
      )}
      {concerns.length === 0 && !isPending && errors.length === 0 && (
        <p className="flex items-center gap-2.5">
          <CircleCheck aria-hidden="true" className="size-4 text-success" />
          No problems found.
        </p>
      )}
      {errors.length > 0 && <Unknown errors={errors} retry={retry} />}
    </Card>
  );
};

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
