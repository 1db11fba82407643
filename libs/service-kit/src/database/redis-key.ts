/**
 * Creates the keys of one prefix: kind, then a hash tag. Keys with the same tag are on one node of a cluster. Every Redis key
 * except the bus's is built here.
 */
export const createRedisKeys =
  (prefix: string) =>
  (kind: string, tag: string): string =>
    `${prefix}:${kind}:{${tag}}`;

/**
 * Returns a time to live in whole milliseconds. Throws `RangeError` unless it is positive and finite, because no key may be
 * permanent.
 */
export const lifetimeMilliseconds = (milliseconds: number): number => {
  const whole = Math.ceil(milliseconds);
  if (whole > 0 && Number.isFinite(whole)) return whole;
  throw new RangeError(
    `a key in Redis needs a positive, finite lifetime, but got ${milliseconds} ms`,
  );
};
