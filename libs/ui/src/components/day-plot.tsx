import { classNames } from "./class-names.ts";
import { type Bar, barsOf } from "./day-bars.ts";
import { dayText } from "./day-text.ts";

export interface DayValue {
  /** A day in UTC, such as `2026-01-31`. */
  readonly day: string;
  readonly value: number;
  /** The parts of the value, in the order of the chart's `parts`. */
  readonly parts?: readonly number[];
}

/** A part of each value, which has a pattern, because colours alone do not tell parts apart for everyone. */
export interface Part {
  readonly label: string;
  readonly fill: string;
  readonly stroke: string;
}

const percents = ({ x, y, width, height }: Bar) => ({
  x: `${x}%`,
  y: `${y}%`,
  width: `${width}%`,
  height: `${height}%`,
});

interface BarsProps {
  days: readonly DayValue[];
  today: string;
  parts: readonly Part[] | undefined;
  end: number;
  shown: number | undefined;
}

/** An outline marks the day that is not over, because a colour alone would not. */
const Bars = ({ days, today, parts, end, shown }: BarsProps) => {
  const columns = days.map((day) => (parts ? (day.parts ?? []) : [day.value]));
  return barsOf(columns, end).map((bars, index) => {
    const isOpen = days[index]?.day === today;
    return (
      <g
        key={days[index]?.day}
        strokeDasharray={isOpen ? "2 2" : undefined}
        className={isOpen ? "fill-accent-soft stroke-link" : "fill-link"}
        opacity={shown === undefined || shown === index ? 1 : 0.55}
      >
        {bars.map((bar, place) => {
          const part = parts?.[place];
          const style = part && { fill: part.fill, stroke: isOpen ? undefined : part.stroke };
          if (bar.height === 0) return undefined;
          return <rect key={part?.label ?? ""} rx="2" {...percents(bar)} {...style} />;
        })}
      </g>
    );
  });
};

interface BeforeProps {
  values: readonly number[];
  end: number;
  count: number;
}

/** The values of the period before, as a line through the middles of the days. */
const Before = ({ values, end, count }: BeforeProps) => {
  const step = 100 / Math.max(count, 1);
  const points = values
    .slice(0, count)
    .map((value, index) => `${(index + 0.5) * step},${100 - (value * 100) / end}`);
  return (
    <svg viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="100%">
      <polyline
        points={points.join(" ")}
        vectorEffect="non-scaling-stroke"
        strokeWidth="1.5"
        strokeDasharray="4 4"
        strokeLinejoin="round"
        className="fill-none stroke-muted"
      />
    </svg>
  );
};

export interface DayPlotProps extends Omit<BarsProps, "shown"> {
  isLarge: boolean;
  before: readonly number[] | undefined;
  /** The place of the day of interest. */
  at: number | undefined;
  /** The places of the first and the last day that are being chosen. */
  chosen: readonly [first: number, last: number] | undefined;
}

/** The bars of a chart, its lines, and the background of the day of interest or of the chosen days over the whole height. */
export const DayPlot = ({ isLarge, before, at, chosen, ...bars }: DayPlotProps) => {
  const count = bars.days.length;
  const [first, last] = chosen ?? [at, at];
  return (
    <svg
      aria-hidden="true"
      className={classNames(
        "min-w-0 flex-1 overflow-visible border-b border-rim",
        isLarge ? "h-60" : "h-10",
      )}
    >
      {first !== undefined && last !== undefined && (
        <rect
          x={`${(first * 100) / count}%`}
          width={`${((last - first + 1) * 100) / count}%`}
          height="100%"
          className="fill-sunken"
        />
      )}
      {isLarge && <line x2="100%" className="stroke-line" />}
      {isLarge && <line x2="100%" y1="50%" y2="50%" className="stroke-line" />}
      <Bars {...bars} shown={chosen ? undefined : at} />
      {before && <Before values={before} end={bars.end} count={count} />}
    </svg>
  );
};

/** The days that a large chart names below it: at most six, at the same distance. */
const namedPlaces = (count: number): number[] => {
  const step = Math.max(Math.ceil(count / 6), 1);
  return Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step);
};

/** The names of days below a large chart. */
export const DayNames = ({ days }: { days: readonly DayValue[] }) => (
  <p aria-hidden="true" className="relative ml-9.5 h-4 overflow-clip">
    {namedPlaces(days.length).map((index) => (
      <span
        key={index}
        className="absolute whitespace-nowrap"
        style={{ left: `${(index * 100) / days.length}%` }}
      >
        {dayText(days[index]?.day ?? "")}
      </span>
    ))}
  </p>
);
