/** The view box of a chart of days, which is stretched to the available space. */
export const dayChartBox = { width: 100, height: 40 } as const;

const gapShare = 0.2;

/** Returns a round number that is not below the values: the end of the axis. */
export const axisEnd = (values: readonly number[]): number => {
  const most = Math.max(...values, 1);
  const power = 10 ** Math.floor(Math.log10(most));
  const step = [1, 2, 5, 10].find((one) => one * power >= most) ?? 10;
  return step * power;
};

interface Bar {
  x: number;
  y: number;
  width: number;
  height: number;
}

const rounded = (value: number): number => Number(value.toFixed(2));

/** Returns a bar per value, from zero at the bottom to the end of the axis at the top. */
export const barsOf = (values: readonly number[]): Bar[] => {
  const { width, height } = dayChartBox;
  const end = axisEnd(values);
  const step = width / Math.max(values.length, 1);
  return values.map((value, index) => ({
    x: rounded(index * step + (step * gapShare) / 2),
    y: rounded(height - (value / end) * height),
    width: rounded(step * (1 - gapShare)),
    height: rounded((value / end) * height),
  }));
};

/** Returns which of some columns of the same width is at a share of the whole width. */
export const columnAt = (share: number, count: number): number | undefined =>
  share < 0 || share >= 1 || count === 0 ? undefined : Math.floor(share * count);
