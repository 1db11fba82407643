import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { axisEnd, type Bar, barsOf, columnAt } from "./day-bars.ts";
import { lazyValue } from "./lazy-value.ts";
import { numberText } from "./number-text.ts";

const shortDay = lazyValue(
  () => new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" }),
);

/** Formats a day in UTC: `2026-01-31` as "31 Jan". */
const dayText = (day: string): string => shortDay().format(new Date(`${day}T00:00:00Z`));

export interface DayValue {
  /** A day in UTC, such as `2026-01-31`. */
  readonly day: string;
  readonly value: number;
  /** The parts of the value, in the order of the chart's `parts`. */
  readonly parts?: readonly number[];
}

/** A part of each value, which has a pattern, because colours alone do not tell parts apart for everyone. */
interface Part {
  readonly label: string;
  readonly fill: string;
  readonly stroke: string;
}

interface DayChartProps {
  /** Describes the chart in words: "Sign-ups by day, from 3 to 40". The keys are added. */
  label: string;
  days: readonly DayValue[];
  /** The counted things: "sign-ups". */
  unit: string;
  /** The day that is not over, whose value still grows. */
  today: string;
  /** Divides each bar into these parts, in a large chart. */
  parts?: readonly Part[];
  /** Whether the chart is large without parts, too. */
  isLarge?: boolean;
}

const short = lazyValue(() => new Intl.NumberFormat("en", { notation: "compact" }));

const percents = ({ x, y, width, height }: Bar) => ({
  x: `${x}%`,
  y: `${y}%`,
  width: `${width}%`,
  height: `${height}%`,
});

interface BarsProps extends Pick<DayChartProps, "days" | "today"> {
  parts: readonly Part[] | undefined;
  isLarge: boolean;
  shown: number | undefined;
}

/** An outline marks the day that is not over, because a colour alone would not. */
const Bars = ({ days, today, parts, isLarge, shown }: BarsProps) => (
  <svg
    aria-hidden="true"
    className={`${isLarge ? "h-52" : "h-10"} min-w-0 flex-1 overflow-visible border-b border-l border-edge`}
  >
    {isLarge && <line x2="100%" className="stroke-line" />}
    {barsOf(days.map((day) => (parts ? (day.parts ?? []) : [day.value]))).map((bars, index) => {
      const isOpen = days[index]?.day === today;
      return (
        <g
          key={days[index]?.day}
          strokeDasharray={isOpen ? "2 2" : undefined}
          className={isOpen ? "fill-accent-soft stroke-accent" : "fill-accent"}
          opacity={shown === undefined || shown === index ? 1 : 0.55}
        >
          {bars.map((bar, place) => {
            const part = parts?.[place];
            const style = part && { fill: part.fill, stroke: isOpen ? undefined : part.stroke };
            if (part && bar.height === 0) return undefined;
            return <rect key={part?.label ?? ""} {...percents(bar)} {...style} />;
          })}
        </g>
      );
    })}
  </svg>
);

const useShownDay = (count: number) => {
  const [shown, setShown] = useState<number>();
  const [isByKey, setIsByKey] = useState(false);
  const onPointerMove = ({ clientX, currentTarget }: PointerEvent) => {
    const { left: chartLeft, width: all } = currentTarget.getBoundingClientRect();
    setIsByKey(false);
    setShown(columnAt((clientX - chartLeft) / all, count));
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

/** Names the parts of a day that are not zero: " (valid 40, expired 2)". */
const partsText = ({ parts: values = [] }: DayValue, parts: readonly Part[] = []): string => {
  const texts = parts.flatMap(({ label }, place) => {
    const value = values[place] ?? 0;
    return value === 0 ? [] : [`${label.toLowerCase()} ${numberText(value)}`];
  });
  return texts.length === 0 ? "" : ` (${texts.join(", ")})`;
};

/** A chart of days with its axes. The value of a day is shown under the pointer, and by the left and right arrow keys. */
export const DayChart = ({
  label,
  days,
  unit,
  today,
  parts,
  isLarge = parts !== undefined,
}: DayChartProps) => {
  const { shown, isByKey, on } = useShownDay(days.length);
  const day = shown === undefined ? undefined : days[shown];
  const nameOf = (one: string) => (one === today ? "today so far" : dayText(one));
  const text =
    day && `${nameOf(day.day)}: ${numberText(day.value)} ${unit}${partsText(day, parts)}`;
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
          <Bars {...{ days, today, parts, isLarge, shown }} />
        </div>
      </div>
      <p
        aria-hidden="true"
        className={`flex justify-between gap-2 pl-9.5 ${parts ? "h-8" : "h-4 whitespace-nowrap"}`}
      >
        {text ? (
          <span className={parts ? "text-ink" : "truncate text-ink"}>{text}</span>
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
