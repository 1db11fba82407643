import { classNames } from "./class-names.ts";
import { axisEnd } from "./day-bars.ts";
import { DayNames, DayPlot, type DayValue, type Part } from "./day-plot.tsx";
import type { DayRange } from "./day-range.ts";
import { dayText } from "./day-text.ts";
import { lazyValue } from "./lazy-value.ts";
import { numberText } from "./number-text.ts";
import { chosenDays, useDayPlace } from "./use-day-place.ts";
import { locale } from "./locale.ts";

export type { DayValue };

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

const short = lazyValue(() => new Intl.NumberFormat(locale.tag, { notation: "compact" }));

/** Names the parts of a day that are not zero: " (valid 40, expired 2)". */
const partsText = ({ parts: values = [] }: DayValue, parts: readonly Part[] = []): string => {
  const texts = parts.flatMap(({ label }, place) => {
    const value = values[place] ?? 0;
    return value === 0 ? [] : [`${label.toLowerCase()} ${numberText(value)}`];
  });
  return texts.length === 0 ? "" : ` (${texts.join(", ")})`;
};

type TextOf = Pick<DayChartProps, "days" | "unit" | "today" | "parts" | "before">;

const nameOf = (day: string, today: string) =>
  day === today ? locale.text("chart.today") : dayText(day);

/** Returns the value of a day in words. */
const textOf = ({ days, unit, today, parts, before }: TextOf, at: number): string | undefined => {
  const day = days[at];
  if (!day) return undefined;
  const previous = before?.[at];
  const rest = previous === undefined ? "" : locale.text("chart.valueBefore", { value: previous });
  return `${nameOf(day.day, today)}: ${numberText(day.value)} ${unit}${partsText(day, parts)}${rest}`;
};

const Head = ({ unit, before }: Pick<DayChartProps, "unit" | "before">) => (
  <div aria-hidden="true" className="flex flex-wrap gap-x-4 pl-9.5 leading-4">
    <p dir="auto">{locale.text("chart.perDay", { unit })}</p>
    {before && (
      <p dir="auto" className="inline-flex items-center gap-1.5">
        <svg width="16" height="2" className="stroke-muted">
          <line x2="16" y1="1" y2="1" strokeWidth="1.5" strokeDasharray="4 4" />
        </svg>
        {locale.text("chart.periodBefore")}
      </p>
    )}
  </div>
);

const Axis = ({ end, isLarge }: { end: number; isLarge: boolean }) => (
  <div
    aria-hidden="true"
    className="flex w-8 flex-col justify-between text-right leading-none tabular-nums"
  >
    <span>{short().format(end)}</span>
    {isLarge && end > 1 && <span>{short().format(end / 2)}</span>}
    <span>0</span>
  </div>
);

/** The value of the day of interest, beside it and inside the chart. `share` is the middle of the day, from 0 to 1. */
const Tip = ({ text, share }: { text: string; share: number }) => (
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

/** The first and the last day below a small chart, or the value of the day of interest. */
const SmallFoot = ({ days, today, text }: TextOf & { text: string | undefined }) => (
  <p
    aria-hidden="true"
    className="flex h-4 justify-between gap-2 pl-9.5 whitespace-nowrap text-muted"
  >
    {text ? (
      <span dir="auto" className="truncate text-ink">
        {text}
      </span>
    ) : (
      <>
        <span>{days[0] && nameOf(days[0].day, today)}</span>
        <span>{days.length > 1 && nameOf(days.at(-1)?.day ?? "", today)}</span>
      </>
    )}
  </p>
);

const ValueTable = ({ days, unit, before }: Pick<DayChartProps, "days" | "unit" | "before">) => (
  <table aria-label={locale.text("chart.numbers", { unit })} className="sr-only">
    <thead>
      <tr>
        <th scope="col">{locale.text("chart.day")}</th>
        <th scope="col">{unit}</th>
        {before && <th scope="col">{locale.text("chart.inPeriodBefore", { unit })}</th>}
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

const keysOf = ({ onChoose }: DayChartProps): string =>
  onChoose ? locale.text("chart.keysToChoose") : locale.text("chart.keys");

/**
 * A chart of days with its axes. The value of a day is shown under the pointer anywhere over that day, and by the left and right arrow
 * keys. A small one has its value below, a large one beside the day.
 */
export const DayChart = (props: DayChartProps) => {
  const { label, days, unit, today, parts, before, onChoose, hasTable } = props;
  const isLarge = props.isLarge ?? parts !== undefined;
  const { place, on } = useDayPlace(days, onChoose);
  const { at, isByKey } = place;
  const end = axisEnd([...days.map(({ value }) => value), ...(before ?? [])]);
  const chosen = chosenDays(place);
  const text = at === undefined ? undefined : textOf(props, at);
  const tip = chosen ? chosen.map((index) => dayText(days[index]?.day ?? "")).join(" – ") : text;
  return (
    // Time goes from left to right, as the arrow keys do.
    <div dir="ltr" className="relative flex flex-col gap-1 text-xs text-muted">
      <Head unit={unit} before={before} />
      <div className="flex gap-1.5">
        <Axis end={end} isLarge={isLarge} />
        <div
          role="img"
          aria-label={`${label}. ${keysOf(props)}`}
          tabIndex={0}
          className={classNames(
            "relative flex min-w-0 flex-1 touch-pan-y rounded-sm select-none",
            onChoose && "cursor-crosshair",
          )}
          {...on}
        >
          <DayPlot {...{ days, today, parts, end, isLarge, before, at, chosen }} />
          {isLarge && tip && at !== undefined && (
            <Tip text={tip} share={(at + 0.5) / days.length} />
          )}
        </div>
      </div>
      {isLarge ? <DayNames days={days} /> : <SmallFoot {...props} text={text} />}
      {/* A pointer would make a screen reader speak at every move. */}
      <p role="status" className="sr-only">
        {isByKey && tip}
      </p>
      {!hasTable && <ValueTable {...{ days, unit, before }} />}
    </div>
  );
};
