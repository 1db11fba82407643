/** The view box of a sparkline, which is stretched to the available space. */
export const sparklineBox = { width: 100, height: 30 } as const;

/** Returns the path of a line through the values, from zero at the bottom to the maximum at the top. */
export const sparklinePath = (values: readonly number[]): string => {
  const { width, height } = sparklineBox;
  const top = Math.max(...values, 1);
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  const points = values.map((value, index) => {
    const x = Number((index * step).toFixed(2));
    const y = Number((height - (value / top) * height).toFixed(2));
    return `${x},${y}`;
  });
  // Draws a single value as a horizontal line.
  if (points.length === 1) points.push(`${width},${points[0]?.split(",")[1]}`);
  return points.length === 0 ? "" : `M${points.join("L")}`;
};
