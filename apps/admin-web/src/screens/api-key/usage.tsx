import { useQuery } from "@tanstack/react-query";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { DayChart } from "@latchkey/ui/components/day-chart.tsx";
import type { DayRange } from "@latchkey/ui/components/day-range.ts";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { useNow } from "@latchkey/ui/components/use-now.ts";
import { Table, TableRow } from "@latchkey/ui/components/table.tsx";
import { numberText } from "@latchkey/ui/components/number-text.ts";
import { RangeCard } from "../../components/range-card.tsx";
import { fillOf, outcomes } from "./outcomes.ts";
import { fillDays, sumDays, sumInWords, type UsageDay, type UsageCounts } from "./usage-days.ts";
import { t } from "../../texts.ts";

const columns = [t("ui.chart.day"), ...outcomes.map(({ label }) => label)];

const cellsOf = (counts: UsageCounts) =>
  Object.fromEntries(
    outcomes.map(({ name }) => [
      name,
      <span key={name} className={counts[name] === 0 ? "text-muted" : "font-medium"}>
        {numberText(counts[name])}
      </span>,
    ]),
  );

interface UsageTableProps {
  /** The days with at least one use. */
  days: readonly UsageDay[];
  sums: UsageCounts;
}

/** Shows the numbers of the chart as text: the sums first, then the days, latest first. */
const UsageTable = ({ days, sums }: UsageTableProps) => (
  <Table label={t("apiKey.usage.byDay")} columns={columns}>
    <TableRow cells={{ day: <strong>{t("apiKey.usage.allDays")}</strong>, ...cellsOf(sums) }} />
    {days.toReversed().map((one) => (
      <TableRow key={one.day} cells={{ day: one.day, ...cellsOf(one) }} />
    ))}
  </Table>
);

const daysMax = 366;

const parts = outcomes.map(({ name, label, color }) => ({
  label,
  fill: fillOf(name),
  stroke: color,
}));

const valueOf = (day: UsageDay) => {
  const counts = outcomes.map(({ name }) => day[name]);
  return { day: day.day, value: counts.reduce((sum, count) => sum + count, 0), parts: counts };
};

/** The patterns of the chart and its legend. They take no space. */
const OutcomePatterns = () => (
  <svg aria-hidden="true" className="absolute size-0">
    <defs>
      {outcomes.map(({ name, color, pattern }) => (
        <pattern key={name} id={`use-${name}`} width="8" height="8" patternUnits="userSpaceOnUse">
          <rect width="8" height="8" fill="var(--color-surface)" />
          <path
            d={pattern}
            fill={name === "valid" || name === "forbidden" ? color : "none"}
            stroke={color}
            strokeWidth="2"
          />
        </pattern>
      ))}
    </defs>
  </svg>
);

const Legend = () => (
  <ul
    aria-label={t("apiKey.usage.outcomes")}
    className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted"
  >
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

interface ShownProps {
  days: readonly UsageDay[];
  range: DayRange;
  onChoose: (range: DayRange) => void;
}

const Shown = ({ days, range, onChoose }: ShownProps) => {
  const sums = sumDays(days);
  const today = useNow().toISOString().slice(0, 10);
  if (days.length === 0)
    return <EmptyState title={t("apiKey.usage.none")}>{t("apiKey.usage.noneText")}</EmptyState>;
  return (
    <>
      <OutcomePatterns />
      <DayChart
        label={t("apiKey.usage.chart", { ...range, sums: sumInWords(sums) })}
        days={fillDays(days, range).map(valueOf)}
        unit={t("home.units.uses")}
        {...{ today, parts, onChoose }}
        hasTable
      />
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
    <RangeCard title={t("apiKey.usage.title")} {...{ range, daysMax, reading }}>
      {({ days }, choose) => <Shown days={days} range={range} onChoose={choose} />}
    </RangeCard>
  );
};
