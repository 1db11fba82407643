/** The comparison of two kinds of samples. */
export interface RankVerdict {
  /** The probability that one of the first is larger than one of the second, with ties counted half. */
  larger: number;
  /** The probability that chance alone causes such a difference. */
  chance: number;
}

/** Both tails of the standard normal distribution beyond `z` (Abramowitz and Stegun 7.1.26, within 1.5e-7). */
const twoTails = (z: number): number => {
  const x = Math.abs(z) / Math.SQRT2;
  const t = 1 / (1 + 0.327_591_1 * x);
  const coefficients = [
    1.061_405_429, -1.453_152_027, 1.421_413_741, -0.284_496_736, 0.254_829_592,
  ];
  const polynomial = coefficients.reduce((sum, coefficient) => (sum + coefficient) * t, 0);
  return Math.min(1, polynomial * Math.exp(-x * x));
};

/**
 * The Mann-Whitney rank test by its normal approximation, valid from about ten samples of each kind. Ranks ignore the size of outliers.
 * Therefore slow replies of a network have no effect as long as they affect both kinds.
 */
export const rankTest = (first: readonly number[], second: readonly number[]): RankVerdict => {
  const [n, m] = [first.length, second.length];
  if (n === 0 || m === 0) return { larger: 0.5, chance: 1 };
  let wins = 0;
  for (const one of first)
    for (const other of second) wins += one > other ? 1 : one === other ? 0.5 : 0;
  const larger = wins / (n * m);
  const deviation = Math.sqrt((n + m + 1) / (12 * n * m));
  return { larger, chance: twoTails((larger - 0.5) / deviation) };
};
