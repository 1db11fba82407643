import { lazy, Suspense } from "react";
import type { DayBarsProps } from "./day-bars.tsx";

const DayBars = lazy(async () => ({ default: (await import("./day-bars.tsx")).DayBars }));

interface DayChartProps extends DayBarsProps {
  /** What the bars show, in words: "Uses by day and outcome". */
  label: string;
}

/** Counts by day as bars on each other, with days and numbers beside. The library that draws comes when it is shown. */
export const DayChart = ({ label, ...bars }: DayChartProps) => (
  <div role="img" aria-label={label} className="h-64 w-full text-xs">
    <Suspense fallback={null}>
      <DayBars {...bars} />
    </Suspense>
  </div>
);
