/** Delay after the first failure, and the maximum delay, in milliseconds. */
export interface Backoff {
  baseMilliseconds: number;
  maxMilliseconds: number;
}

/**
 * Returns the delay after the n-th failure (from 1). It doubles up to the maximum, minus up to half at random, so that messages
 * that failed together do not retry together.
 */
export const retryDelay = (failures: number, backoff: Backoff, random: () => number): number => {
  const full = Math.min(backoff.baseMilliseconds * 2 ** (failures - 1), backoff.maxMilliseconds);
  return Math.max(1, Math.round(full * (1 - random() / 2)));
};
