/** Milliseconds: what to wait after the first failure, and the most to wait. */
export interface Backoff {
  baseMilliseconds: number;
  maxMilliseconds: number;
}

/**
 * How long to wait after the n-th failure (from 1): doubling up to the maximum, less up to a half at random, so that
 * what failed together does not come back together.
 */
export const retryDelay = (failures: number, backoff: Backoff, random: () => number): number => {
  const full = Math.min(backoff.baseMilliseconds * 2 ** (failures - 1), backoff.maxMilliseconds);
  return Math.max(1, Math.round(full * (1 - random() / 2)));
};
