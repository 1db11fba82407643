/**
 * Makes the keys of one prefix: kind, then a hash tag, so that what shares a tag lies on one node of a cluster. Every
 * key of ours in Redis, the bus's apart, is made here.
 */
export const createRedisKeys =
  (prefix: string) =>
  (kind: string, tag: string): string =>
    `${prefix}:${kind}:{${tag}}`;

/** A time to live that is one, in whole milliseconds; throws `RangeError` otherwise, for no key of ours lives for ever. */
export const lifetimeMilliseconds = (milliseconds: number): number => {
  const whole = Math.ceil(milliseconds);
  if (whole > 0 && Number.isFinite(whole)) return whole;
  throw new RangeError(`a key in Redis must live for a while, not for ${milliseconds} ms`);
};
