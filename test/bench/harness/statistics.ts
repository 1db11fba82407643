/** Returns the quantile `of` (0 to 1) of the values, or NaN if there are none. */
export const quantile = (values: readonly number[], of: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * of))] ?? Number.NaN;
};

/** Returns the mean of the two middle values if their number is even, or NaN if there are none. */
export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const [below = Number.NaN, above = Number.NaN] = [Math.floor, Math.ceil].map(
    (round) => sorted[round(middle)],
  );
  return (below + above) / 2;
};
