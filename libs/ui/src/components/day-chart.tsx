import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { axisEnd, barsOf, columnAt, dayChartBox } from "./day-bars.ts";
import { dayText } from "./day-text.ts";
import { lazyValue } from "./lazy-value.ts";
import { numberText } from "./number-text.ts";

export interface DayValue {
  /** A day in UTC, such as `2026-01-31`. */
  readonly day: string;
  readonly value: number;
}

interface DayChartProps {
  /** Describes the chart in words: "Sign-ups by day, from 3 to 40". The keys are added. */
  label: string;
  days: readonly DayValue[];
  /** The counted things: "sign-ups". */
  unit: string;
  /** The day that is not over, whose value still grows. */
  today: string;
}

const { width, height } = dayChartBox;
const short = lazyValue(() => new Intl.NumberFormat("en", { notation: "compact" }));

/** An outline marks the day that is not over, because a colour alone would not. */
const Bars = ({
  days,
  today,
  shown,
}: Pick<DayChartProps, "days" | "today"> & { shown: number | undefined }) => (
  <svg
    aria-hidden="true"
    viewBox={`0 0 ${width} ${height}`}
    preserveAspectRatio="none"
    className="h-10 min-w-0 flex-1 overflow-visible border-b border-l border-edge"
  >
    {barsOf(days.map(({ value }) => value)).map((bar, index) => {
      const isOpen = days[index]?.day === today;
      return (
        <rect
          key={days[index]?.day}
          {...bar}
          vectorEffect="non-scaling-stroke"
          strokeDasharray={isOpen ? "2 2" : undefined}
          className={isOpen ? "fill-accent-soft stroke-accent" : "fill-accent"}
          opacity={shown === undefined || shown === index ? 1 : 0.55}
        />
      );
    })}
  </svg>
);

const useShownDay = (count: number) => {
  const [shown, setShown] = useState<number>();
  const [isByKey, setIsByKey] = useState(false);
  const onPointerMove = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width: all } = currentTarget.getBoundingClientRect();
    setIsByKey(false);
    setShown(columnAt((clientX - left) / all, count));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    setIsByKey(true);
    setShown((was = count) => Math.min(Math.max(was + by, 0), count - 1));
  };
  const hide = () => setShown(undefined);
  return { shown, isByKey, on: { onPointerMove, onPointerLeave: hide, onKeyDown, onBlur: hide } };
};

/**
 * A small chart of days with its axes. The value of a day is shown under the pointer, and by the left and right arrow keys. It is simple
 * enough to need no library.
 */
export const DayChart = ({ label, days, unit, today }: DayChartProps) => {
  const { shown, isByKey, on } = useShownDay(days.length);
  const day = shown === undefined ? undefined : days[shown];
  const nameOf = (one: string) => (one === today ? "today so far" : dayText(one));
  const text = day && `${nameOf(day.day)}: ${numberText(day.value)} ${unit}`;
  return (
    <div className="flex flex-col gap-0.5 text-xs text-muted">
      <p aria-hidden="true" className="truncate pl-9.5 leading-4">
        {unit} per day
      </p>
      <div className="flex gap-1.5">
        <div
          aria-hidden="true"
          className="flex w-8 flex-col justify-between text-right leading-none"
        >
          <span>{short().format(axisEnd(days.map(({ value }) => value)))}</span>
          <span>0</span>
        </div>
        <div
          role="img"
          aria-label={`${label}. Use the left and right arrow keys to read each day.`}
          tabIndex={0}
          className="flex min-w-0 flex-1"
          {...on}
        >
          <Bars days={days} today={today} shown={shown} />
        </div>
      </div>
      <p aria-hidden="true" className="flex h-4 justify-between gap-2 pl-9.5 whitespace-nowrap">
        {text ? (
          <span className="truncate text-ink">{text}</span>
        ) : (
          <span className="flex min-w-0 flex-1 justify-between">
            <span>{days[0] && nameOf(days[0].day)}</span>
            <span>{days.length > 1 && nameOf(days.at(-1)?.day ?? "")}</span>
          </span>
        )}
      </p>
      {/* A pointer would make a screen reader speak at every move. */}
      <p role="status" className="sr-only">
        {isByKey && text}
      </p>
    </div>
  );
};
