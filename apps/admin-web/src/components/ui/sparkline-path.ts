/** The box that a sparkline is drawn in, stretched to the place that it is given. */
export const sparklineBox = { width: 100, height: 30 } as const;

/** The path of a line through some values, from zero at the bottom to the greatest at the top. */
export const sparklinePath = (values: readonly number[]): string => {
  const { width, height } = sparklineBox;
  const top = Math.max(...values, 1);
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  const points = values.map((value, index) => {
    const x = Number((index * step).toFixed(2));
    const y = Number((height - (value / top) * height).toFixed(2));
    return `${x},${y}`;
  });
  // A single value is a line, too.
  if (points.length === 1) points.push(`${width},${points[0]?.split(",")[1]}`);
  return points.length === 0 ? "" : `M${points.join("L")}`;
};
