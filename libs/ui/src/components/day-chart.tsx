import { classNames } from "./class-names.ts";
import { axisEnd, type Bar, barsOf } from "./day-bars.ts";
import type { DayRange } from "./day-range.ts";
import { lazyValue } from "./lazy-value.ts";
import { numberText } from "./number-text.ts";
import { chosenDays, useDayPlace } from "./use-day-place.ts";

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
  parts?: readonly Part[] | undefined;
  /** Whether the chart is large without parts, too. */
  isLarge?: boolean | undefined;
  /** The values of the period before, day by day, which a line shows. */
  before?: readonly number[] | undefined;
  /** Called with the days over which the pointer was dragged, or that were chosen by Shift and the arrow keys, then Enter. */
  onChoose?: ((range: DayRange) => void) | undefined;
  /** The page has a table of the same values. Otherwise the chart adds one for screen readers. */
  hasTable?: boolean | undefined;
}

const short = lazyValue(() => new Intl.NumberFormat("en", { notation: "compact" }));

const percents = ({ x, y, width, height }: Bar) => ({
  x: `${x}%`,
  y: `${y}%`,
  width: `${width}%`,
  height: `${height}%`,
});

interface BarsProps extends Pick<DayChartProps, "days" | "today" | "parts"> {
  columns: readonly (readonly number[])[];
  end: number;
  shown: number | undefined;
}

/** An outline marks the day that is not over, because a colour alone would not. */
const Bars = ({ days, today, parts, columns, end, shown }: BarsProps) =>
  barsOf(columns, end).map((bars, index) => {
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

/** The values of the period before, as a line through the middles of the days. */
const Before = ({
  values,
  end,
  count,
}: {
  values: readonly number[];
  end: number;
  count: number;
}) => {
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

/** Names the parts of a day that are not zero: " (valid 40, expired 2)". */
const partsText = ({ parts: values = [] }: DayValue, parts: readonly Part[] = []): string => {
  const texts = parts.flatMap(({ label }, place) => {
    const value = values[place] ?? 0;
    return value === 0 ? [] : [`${label.toLowerCase()} ${numberText(value)}`];
  });
  return texts.length === 0 ? "" : ` (${texts.join(", ")})`;
};

/** The ground of the day of interest, or of the chosen days, over the whole height. */
const Band = ({ first, last, count }: { first: number; last: number; count: number }) => (
  <rect
    x={`${(first * 100) / count}%`}
    width={`${((last - first + 1) * 100) / count}%`}
    height="100%"
    className="fill-sunken"
  />
);

/** The days that a large chart names below it: at most six, at the same distance. */
const namedPlaces = (count: number): number[] => {
  const step = Math.ceil(count / 6);
  return Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step);
};

interface TipProps {
  text: string;
  /** The middle of the day, from 0 to 1. */
  share: number;
}

/** The value of the day of interest, beside it and inside the chart. */
const Tip = ({ text, share }: TipProps) => (
  <span
    aria-hidden="true"
    className="pointer-events-none absolute top-1 z-10 max-w-72 rounded-md border bg-surface px-2.5 py-1.5 text-xs text-ink shadow-md"
    style={
      share < 0.5
        ? { left: `calc(${share * 100}% + 16px)` }
        : { right: `calc(${(1 - share) * 100}% + 16px)` }
    }
  >
    {text}
  </span>
);

const ValueTable = ({ days, unit, before }: Pick<DayChartProps, "days" | "unit" | "before">) => (
  <table aria-label={`Values in numbers: ${unit} per day`} className="sr-only">
    <thead>
      <tr>
        <th scope="col">Day</th>
        <th scope="col">{unit}</th>
        {before && <th scope="col">{unit} in the period before</th>}
      </tr>
    </thead>
    <tbody>
      {days.map(({ day, value }, index) => (
        <tr key={day}>
          <th scope="row">{day}</th>
          <td>{numberText(value)}</td>
          {before && <td>{numberText(before[index] ?? 0)}</td>}
        </tr>
      ))}
    </tbody>
  </table>
);

/**
 * A chart of days with its axes. The value of a day is shown under the pointer anywhere over that day, and by the left and right arrow
 * keys. A small one has its value below, a large one beside the day.
 */
export const DayChart = (props: DayChartProps) => {
  const { label, days, unit, today, parts, before, onChoose, hasTable } = props;
  const isLarge = props.isLarge ?? parts !== undefined;
  const { place, on } = useDayPlace(days, onChoose);
  const { at, isByKey } = place;
  const columns = days.map((day) => (parts ? (day.parts ?? []) : [day.value]));
  const end = axisEnd([...days.map(({ value }) => value), ...(before ?? [])]);
  const nameOf = (one: string) => (one === today ? "today so far" : dayText(one));
  const day = at === undefined ? undefined : days[at];
  const previous = at === undefined ? undefined : before?.[at];
  const text =
    day &&
    `${nameOf(day.day)}: ${numberText(day.value)} ${unit}${partsText(day, parts)}${
      previous === undefined ? "" : `, before ${numberText(previous)}`
    }`;
  const chosen = chosenDays(place);
  const [first, last] = chosen ?? [at, at];
  const keys = onChoose
    ? "Use the left and right arrow keys to read each day, with Shift to choose days, then Enter."
    : "Use the left and right arrow keys to read each day.";
  return (
    <div className="relative flex flex-col gap-1 text-xs text-muted">
      <p aria-hidden="true" className="flex gap-4 truncate pl-9.5 leading-4">
        {unit} per day
        {before && (
          <span className="inline-flex items-center gap-1.5">
            <svg width="16" height="2" className="stroke-muted">
              <line x2="16" y1="1" y2="1" strokeWidth="1.5" strokeDasharray="4 4" />
            </svg>
            the period before
          </span>
        )}
      </p>
      <div className="flex gap-1.5">
        <div
          aria-hidden="true"
          className="flex w-8 flex-col justify-between text-right leading-none tabular-nums"
        >
          <span>{short().format(end)}</span>
          {isLarge && end > 1 && <span>{short().format(end / 2)}</span>}
          <span>0</span>
        </div>
        <div
          role="img"
          aria-label={`${label}. ${keys}`}
          tabIndex={0}
          className={classNames(
            "relative flex min-w-0 flex-1 touch-pan-y rounded-sm select-none",
            onChoose && "cursor-crosshair",
          )}
          {...on}
        >
          <svg
            aria-hidden="true"
            className={classNames(
              "min-w-0 flex-1 overflow-visible border-b border-rim",
              isLarge ? "h-60" : "h-10",
            )}
          >
            {first !== undefined && last !== undefined && (
              <Band first={first} last={last} count={days.length} />
            )}
            {isLarge && <line x2="100%" className="stroke-line" />}
            {isLarge && <line x2="100%" y1="50%" y2="50%" className="stroke-line" />}
            <Bars {...{ days, today, parts, columns, end }} shown={chosen ? undefined : at} />
            {before && <Before values={before} end={end} count={days.length} />}
          </svg>
          {isLarge && text && at !== undefined && (
            <Tip
              text={
                chosen
                  ? `${dayText(days[chosen[0]]?.day ?? today)} – ${dayText(days[chosen[1]]?.day ?? today)}`
                  : text
              }
              share={(at + 0.5) / days.length}
            />
          )}
        </div>
      </div>
      {isLarge ? (
        <p aria-hidden="true" className="relative ml-9.5 h-4 overflow-clip">
          {namedPlaces(days.length).map((index) => (
            <span
              key={index}
              className="absolute whitespace-nowrap"
              style={{ left: `${(index * 100) / days.length}%` }}
            >
              {dayText(days[index]?.day ?? today)}
            </span>
          ))}
        </p>
      ) : (
        <p
          aria-hidden="true"
          className="flex h-4 justify-between gap-2 pl-9.5 whitespace-nowrap text-muted"
        >
          {text ? (
            <span className="truncate text-ink">{text}</span>
          ) : (
            <>
              <span>{days[0] && nameOf(days[0].day)}</span>
              <span>{days.length > 1 && nameOf(days.at(-1)?.day ?? "")}</span>
            </>
          )}
        </p>
      )}
      {/* A pointer would make a screen reader speak at every move. */}
      <p role="status" className="sr-only">
        {isByKey && text}
      </p>
      {!hasTable && <ValueTable {...{ days, unit, before }} />}
    </div>
  );
};
