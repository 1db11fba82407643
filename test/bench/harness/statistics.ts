/** Returns the quantile `of` (0 to 1) of the values, or NaN if there are none. */
export const quantile = (values: readonly number[], of: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * of))] ?? Number.NaN;
};

export const median = (values: readonly number[]): number => quantile(values, 0.5);
