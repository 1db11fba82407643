import { useQuery } from "@tanstack/react-query";
import { RangeCard } from "../../components/range-card.tsx";
import { lazy, Suspense } from "react";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import type { DayRange } from "@latchkey/ui/components/day-range.ts";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import { OutcomePatterns } from "./outcome-patterns.tsx";
import { fillOf, outcomes } from "./outcomes.ts";
import { fillDays, sumDays, sumInWords, type UsageDay } from "./usage-days.ts";
import { useNow } from "@latchkey/ui/components/use-now.ts";
import { UsageTable } from "./usage-table.tsx";

const UsageChart = lazy(async () => ({
  default: (await import("./usage-chart.tsx")).UsageChart,
}));

const daysMax = 366;

const Legend = () => (
  <ul aria-label="Outcomes" className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
    {outcomes.map(({ name, label, color }) => (
      <li key={name} className="flex items-center gap-1.5">
        <svg aria-hidden="true" className="size-4" viewBox="0 0 16 16">
          <rect x="0.5" y="0.5" width="15" height="15" fill={fillOf(name)} stroke={color} />
        </svg>
        {label}
      </li>
    ))}
  </ul>
);

const Shown = ({ days, range }: { days: readonly UsageDay[]; range: DayRange }) => {
  const sums = sumDays(days);
  const today = useNow().toISOString().slice(0, 10);
  if (days.length === 0)
    return (
      <EmptyState title="No uses in this period">
        Uses appear within a second. The option apiKey.usageRetentionDays sets how long they are
        kept.
      </EmptyState>
    );
  return (
    <>
      <div
        role="img"
        aria-label={`Uses by day from ${range.from} to ${range.to}: ${sumInWords(sums)}`}
        className="h-64"
      >
        <OutcomePatterns />
        <Suspense fallback={<Skeleton className="h-64" />}>
          <UsageChart days={fillDays(days, range)} today={today} />
        </Suspense>
      </div>
      <Legend />
      <div className="mt-4">
        <UsageTable days={days} sums={sums} />
      </div>
    </>
  );
};

/** Shows the outcomes of a key's uses over a chosen range of days. */
export const Usage = ({ keyId, range }: { keyId: string; range: DayRange }) => {
  const reading = useQuery(
    operationQuery(operations.apikey.adminReadApiKeyUsage, {
      params: { id: keyId },
      query: range,
    }),
  );
  return (
    <RangeCard title="Uses" {...{ range, daysMax, reading }}>
      {({ days }) => <Shown days={days} range={range} />}
    </RangeCard>
  );
};
