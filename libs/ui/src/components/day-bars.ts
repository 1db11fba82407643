const gapShare = 0.2;

/** The first digits at which an axis ends. Half of it is a whole number, too. */
const ends = { ones: [1, 2, 4, 6, 8, 10], more: [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10] };

/** Returns a round number that is not below the values, and not far above: the end of the axis. */
export const axisEnd = (values: readonly number[]): number => {
  const most = Math.max(...values, 1);
  const power = 10 ** Math.floor(Math.log10(most));
  const step = ends[power === 1 ? "ones" : "more"].find((one) => one * power >= most) ?? 10;
  return Math.round(step * power);
};

/** A rectangle, in percents of the chart. */
export interface Bar {
  x: number;
  y: number;
  width: number;
  height: number;
}

const rounded = (value: number): number => Number(value.toFixed(2));

/**
 * Returns a bar per part of each column, below an axis that ends at `end`. The first part stands on zero, and each other one on the part
 * before it.
 */
export const barsOf = (columns: readonly (readonly number[])[], end: number): Bar[][] => {
  const share = 100 / end;
  const step = 100 / Math.max(columns.length, 1);
  return columns.map((parts, index) => {
    let top = 0;
    return parts.map((part) => {
      top += part;
      return {
        x: rounded(index * step + (step * gapShare) / 2),
        y: rounded(100 - top * share),
        width: rounded(step * (1 - gapShare)),
        height: rounded(part * share),
      };
    });
  });
};

/** Returns which of some columns of the same width is at a share of the whole width. */
export const columnAt = (share: number, count: number): number | undefined =>
  share < 0 || share >= 1 || count === 0 ? undefined : Math.floor(share * count);
