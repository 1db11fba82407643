import type { UseQueryResult } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Card } from "@latchkey/ui/components/card.tsx";
import { DateRangePicker } from "@latchkey/ui/components/date-range-picker.tsx";
import { type DayRange, lastDays, rangeFault } from "@latchkey/ui/components/day-range.ts";
import { useNow } from "@latchkey/ui/components/use-now.ts";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import { ErrorState } from "./errors/error-state.tsx";
import { StaleNotice } from "./errors/stale-notice.tsx";

/** Returns the days in an address, or the last 30 if it has none or too many. */
export const useDayRange = (
  { from, to }: { from?: string | undefined; to?: string | undefined },
  daysMax: number,
): DayRange => {
  const recent = lastDays(30, useNow());
  const range = { from: from ?? recent.from, to: to ?? recent.to };
  return rangeFault(range, daysMax) === undefined ? range : recent;
};

interface RangeCardProps<Data> {
  title: string;
  /** The days that the address selects. */
  range: DayRange;
  daysMax: number;
  reading: UseQueryResult<Data>;
  /** Shows the figures. `choose` shows those of other days. */
  children: (data: Data, choose: (range: DayRange) => void) => ReactNode;
}

/** A card with figures of a range of days, which the user chooses in it. Shows that they load, are outdated, or cannot be read. */
export const RangeCard = <Data,>(props: RangeCardProps<Data>) => {
  const { title, range, daysMax, reading, children } = props;
  const navigate = useNavigate();
  const { data, error, refetch } = reading;
  const choose = ({ from, to }: DayRange) =>
    void navigate({ to: ".", search: { from, to }, replace: true });
  return (
    <Card
      title={title}
      className="min-h-96"
      actions={<DateRangePicker value={range} daysMax={daysMax} onChange={choose} />}
    >
      <StaleNotice reading={reading} />
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Skeleton className="h-72" />}
      {data && children(data, choose)}
    </Card>
  );
};
