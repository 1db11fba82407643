import { sparklineBox, sparklinePath } from "./sparkline-path.ts";

interface SparklineProps {
  /** Describes the line in words: "Sign-ups by day, 3 to 40". */
  label: string;
  values: readonly number[];
}

const { width, height } = sparklineBox;

/** A small line chart without axes, simple enough to need no library. */
export const Sparkline = ({ label, values }: SparklineProps) => {
  const path = sparklinePath(values);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 -1 ${width} ${height + 2}`}
      preserveAspectRatio="none"
      className="h-10 w-full"
    >
      {path && <path d={`${path}L${width},${height}L0,${height}Z`} className="fill-accent-soft" />}
      <path
        d={path}
        fill="none"
        strokeWidth={1.5}
        vectorEffect="non-scaling-stroke"
        className="stroke-accent"
      />
    </svg>
  );
};
